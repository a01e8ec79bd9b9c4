package io.lockkeeper.lab.oversell.contest;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.worker.FromWorker;
import io.lockkeeper.lab.oversell.worker.Messages;
import io.lockkeeper.lab.oversell.worker.ToWorker;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A child JVM that orders; its answers and its end go to a listener, from threads of its own. */
final class WorkerProcess implements AutoCloseable {

  private static final int TAIL_LINES = 20;
  private static final long STOP_SECONDS = 5;

  private final int number;
  private final Process process;
  private final BufferedWriter toWorker;
  private final Deque<String> errors = new ArrayDeque<>(); // guarded by itself

  private WorkerProcess(int number, Process process) {
    this.number = number;
    this.process = process;
    this.toWorker = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts one with this JVM's own program and class path.
   *
   * @param number from 1
   * @param command what follows the JVM's own arguments
   * @param listener gets each message, and a {@link FromWorker.Failed} should the process end
   *     before it is told to
   */
  static WorkerProcess start(
      int number, List<String> command, BiConsumer<WorkerProcess, FromWorker> listener) {
    try {
      Process process = new ProcessBuilder(command).start();
      WorkerProcess worker = new WorkerProcess(number, process);
      worker.inBackground("errors", worker::readErrors);
      worker.inBackground("answers", () -> worker.readAnswers(listener));
      return worker;
    } catch (IOException e) {
      throw new CannotRunException("cannot start " + Path.of(command.get(0)), e);
    }
  }

  private void inBackground(String what, Runnable work) {
    Thread thread = new Thread(work, "worker-" + number + "-" + what);
    thread.setDaemon(true);
    thread.start();
  }

  private void readAnswers(BiConsumer<WorkerProcess, FromWorker> listener) {
    try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        listener.accept(this, Messages.read(line, FromWorker.class));
      }
    } catch (IOException | IllegalArgumentException e) {
      listener.accept(this, new FromWorker.Failed("its answers make no sense: " + e.getMessage()));
    }
    listener.accept(this, new FromWorker.Failed(howItEnded()));
  }

  private String howItEnded() {
    try {
      return "ended with status " + process.waitFor() + " before it was done" + lastErrors();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "ended before it was done";
    }
  }

  private void readErrors() {
    try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        remember(line);
      }
    } catch (IOException e) {
      // killed; nothing more to hear
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

  /** Sends a message. If the process is gone, its listener hears of that anyway. */
  void tell(ToWorker message) {
    try {
      toWorker.write(Messages.write(message));
      toWorker.newLine();
      toWorker.flush();
    } catch (IOException e) {
      // the answers end, too
    }
  }

  /** Waits some seconds for it to end. */
  void awaitEnd() throws InterruptedException {
    process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
  }

  /** Kills it. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
