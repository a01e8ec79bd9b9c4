package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.Main;
import io.lockkeeper.lab.load.Register;
import io.lockkeeper.lab.process.ChildProcess;
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.lab.torture.Workers.WorkerOrder;
import io.lockkeeper.servers.JavaCommand;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A worker, as the nemesis sees it: a JVM of its own. */
final class WorkerProcess implements AutoCloseable {

  private final String name;
  private final ChildProcess process;

  /** Below zero until it says that it has begun. */
  private final AtomicLong acquisitions = new AtomicLong(-1);

  private final Path log;

  private WorkerProcess(String name, ChildProcess process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts one.
   *
   * @param register what it guards
   */
  static WorkerProcess start(WorkerOrder order, Register register) {
    Path log = order.historyFolder().resolve(order.process() + ".log");
    ChildProcess process =
        ChildProcess.start(
            ChildProcess.java(JavaCommand.SMALL, Main.class.getName(), TortureWorkerCommand.NAME),
            Redirect.to(log.toFile()));
    WorkerProcess worker = new WorkerProcess(order.process(), process, log);
    process.say(Messages.write(order));
    process.listen("worker-" + order.process(), line -> worker.hear(line, register), failure -> {});
    return worker;
  }

  private void hear(String line, Register register) {
    String[] fields = line.split("\t", -1);
    if (fields.length == 1) {
      acquisitions.set(Long.parseLong(line));
    } else {
      boolean taken =
          register.write(
              fields[0], fields[1], Long.parseLong(fields[2]), Long.parseLong(fields[3]));
      process.say(taken ? TortureWorkerCommand.TAKEN : "refused");
    }
  }

  /** Returns what it is called in the history. */
  String name() {
    return name;
  }

  /** Returns how often it has got what it wanted. */
  long acquisitions() {
    return Math.max(0, acquisitions.get());
  }

  /** Returns whether it is connected to the store. */
  boolean hasBegun() {
    return acquisitions.get() >= 0;
  }

  /** Stops it without ending it, or lets it go on. */
  void freeze(boolean frozen) {
    process.freeze(frozen);
  }

  /** Tells it to end in good order. */
  void stop() {
    process.say(TortureWorkerCommand.STOP);
  }

  /**
   * Waits for its end.
   *
   * @return empty if it ended in good order, else what went wrong
   */
  String awaitEnd() throws InterruptedException {
    String problem = process.awaitEnd();
    return problem.isEmpty() ? "" : name + " " + problem + ", see " + log;
  }

  @Override
  public void close() {
    process.close();
  }
}
