package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.load.Register;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/** The way to the guarded register, which the coordinator keeps. One request at a time. */
final class RegisterClient implements Register, AutoCloseable {

  private final ReentrantLock lock = new ReentrantLock();
  private final Socket socket;
  private final BufferedReader answers;

  RegisterClient(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      answers =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean write(String resource, String actor, long call, long token) {
    String line = resource + "\t" + actor + "\t" + call + "\t" + token + "\n";
    lock.lock();
    try {
      socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
      return RegisterServer.TAKEN.equals(answers.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // of no use any more in any case
    }
  }
}
