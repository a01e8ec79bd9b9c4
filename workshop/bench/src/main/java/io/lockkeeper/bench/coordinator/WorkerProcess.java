package io.lockkeeper.bench.coordinator;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.worker.Command;
import io.lockkeeper.bench.worker.Reply;
import io.lockkeeper.bench.worker.WorkerMain;
import io.lockkeeper.lab.process.ChildProcess;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker process as the coordinator sees it: commands in, replies out. */
final class WorkerProcess implements AutoCloseable {

  private static final long CLOSE_SECONDS = 10;
  private static final String GONE = "";

  private final ObjectMapper json = new ObjectMapper();
  private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();
  private final ChildProcess process;

  private WorkerProcess(ChildProcess process) {
    this.process = process;
    process.listen("replies-" + process.pid(), this::hear, failure -> replies.add(GONE));
  }

  static WorkerProcess start(Library library, String url, List<String> jvmOptions, Path log) {
    return new WorkerProcess(
        ChildProcess.start(
            ChildProcess.java(jvmOptions, WorkerMain.class.getName(), library.name(), url),
            Redirect.appendTo(log.toFile())));
  }

  private void hear(String line) {
    if (line.startsWith(WorkerMain.MARK)) {
      replies.add(line.substring(WorkerMain.MARK.length()));
    }
  }

  long pid() {
    return process.pid();
  }

  void send(Command command) {
    try {
      process.say(json.writerFor(Command.class).writeValueAsString(command));
    } catch (IOException e) {
      throw new IllegalArgumentException("not sendable: " + command, e);
    }
  }

  /** Waits for the reply to the last command, which must be a {@code kind}. */
  <T extends Reply> T await(Class<T> kind, Duration limit) throws WorkerFailedException {
    Reply reply = next(limit);
    if (reply instanceof Reply.Failed failed) {
      throw new WorkerFailedException(failed.problem());
    }
    return kind.cast(reply);
  }

  private Reply next(Duration limit) throws WorkerFailedException {
    try {
      String line = replies.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (line == null) {
        throw new WorkerFailedException("not done within " + limit.toSeconds() + " s");
      }
      if (line.equals(GONE)) {
        throw new WorkerFailedException("the worker process ended by itself");
      }
      return json.readValue(line, Reply.class);
    } catch (IOException e) {
      throw new WorkerFailedException("unreadable reply: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkerFailedException("interrupted");
    }
  }

  /** Ends the process: politely, and then by force. */
  @Override
  public void close() {
    process.hush();
    try {
      process.awaitEnd(CLOSE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.close();
  }

  /** Ends the process by force: for one that does not answer any more. */
  void kill() {
    process.close();
  }
}
