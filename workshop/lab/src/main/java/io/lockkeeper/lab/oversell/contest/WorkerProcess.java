package io.lockkeeper.lab.oversell.contest;

import io.lockkeeper.lab.oversell.worker.FromWorker;
import io.lockkeeper.lab.oversell.worker.Messages;
import io.lockkeeper.lab.oversell.worker.ToWorker;
import io.lockkeeper.lab.process.ChildProcess;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A child JVM that orders; its answers and its end go to a listener, from threads of its own. */
final class WorkerProcess implements AutoCloseable {

  private static final int TAIL_LINES = 20;
  private static final long STOP_SECONDS = 5;

  private final int number;
  private final ChildProcess process;
  private final Deque<String> errors = new ArrayDeque<>(); // guarded by itself

  private WorkerProcess(int number, ChildProcess process) {
    this.number = number;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param number from 1
   * @param listener gets each message, and a {@link FromWorker.Failed} should the process end
   *     before it gets the message to end
   */
  static WorkerProcess start(
      int number, List<String> command, BiConsumer<WorkerProcess, FromWorker> listener) {
    WorkerProcess worker = new WorkerProcess(number, ChildProcess.start(command, Redirect.PIPE));
    String name = "worker-" + number;
    worker.process.listenToErrors(name + "-errors", worker::remember);
    worker.process.listen(
        name + "-answers",
        line -> listener.accept(worker, Messages.read(line, FromWorker.class)),
        failure -> listener.accept(worker, new FromWorker.Failed(worker.howItEnded(failure))));
    return worker;
  }

  private String howItEnded(@Nullable RuntimeException failure) {
    if (failure != null) {
      return "its answers make no sense: " + failure.getMessage();
    }
    try {
      return "ended with status " + process.status() + " before it was done" + lastErrors();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "ended before it was done";
    }
  }

  private void remember(String line) {
    synchronized (errors) {
      if (errors.size() == TAIL_LINES) {
        errors.removeFirst();
      }
      errors.addLast(line);
    }
  }

  private String lastErrors() {
    synchronized (errors) {
      return errors.isEmpty() ? "" : "; it said:\n  " + String.join("\n  ", errors);
    }
  }

  int number() {
    return number;
  }

  long pid() {
    return process.pid();
  }

  /** Sends a message. If the process is gone, its listener learns of that anyway. */
  void tell(ToWorker message) {
    process.say(Messages.write(message));
  }

  /** Waits some seconds for it to end. */
  void awaitEnd() throws InterruptedException {
    process.awaitEnd(STOP_SECONDS);
  }

  /** Kills it. */
  @Override
  public void close() {
    process.close();
  }
}
