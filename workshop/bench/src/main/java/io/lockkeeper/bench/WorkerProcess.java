package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.lab.process.ChildProcess;
import io.lockkeeper.lab.process.Messages;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker process as the coordinator sees it: commands in, replies out. */
final class WorkerProcess implements AutoCloseable {

  private static final List<String> JVM_OPTIONS = List.of(Setting.JVM_OPTIONS.split(" "));

  private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
  private final ChildProcess process;

  private WorkerProcess(ChildProcess process) {
    this.process = process;
    process.listen(
        "replies-" + process.pid(),
        line -> replies.add(Messages.read(line, Reply.class)),
        failure -> replies.add(new Reply.Failed("the worker process ended by itself")));
  }

  static WorkerProcess start(Library library, String url, Path log) {
    return new WorkerProcess(
        ChildProcess.start(
            ChildProcess.java(JVM_OPTIONS, Worker.class.getName(), library.name(), url),
            Redirect.appendTo(log.toFile())));
  }

  void send(Command command) {
    process.say(Messages.write(command, Command.class));
  }

  /** Waits for the reply to the last command, which must be a {@code kind}. */
  <T extends Reply> T await(Class<T> kind, Duration limit) throws WorkerFailedException {
    try {
      Reply reply = replies.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (reply == null) {
        throw new WorkerFailedException("not done within " + limit.toSeconds() + " s");
      }
      if (reply instanceof Reply.Failed failed) {
        throw new WorkerFailedException(failed.problem());
      }
      return kind.cast(reply);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkerFailedException("interrupted");
    }
  }

  /** Ends the process by force. */
  @Override
  public void close() {
    process.close();
  }

  /** A worker could not do what it was told, or does not answer. */
  static final class WorkerFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String problem;

    WorkerFailedException(String problem) {
      super(problem);
      this.problem = problem;
    }

    /** Returns what went wrong, in one line. */
    String problem() {
      return problem;
    }
  }
}
