package io.lockkeeper.lab.history;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/** The history of one process, in a file: a line per event, handed to the system at once. */
public final class FileRecorder implements Recorder, AutoCloseable {

  private final ReentrantLock lock = new ReentrantLock();
  private final OutputStream out;

  /**
   * Begins a file.
   *
   * @throws UncheckedIOException if that is not possible
   */
  public FileRecorder(Path file) {
    try {
      this.out = Files.newOutputStream(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void record(Event event) {
    byte[] line = (event.line() + "\n").getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      out.write(line); // not buffered: a killed process has written all that it did
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }
}
