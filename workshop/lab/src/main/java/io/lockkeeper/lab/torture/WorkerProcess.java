package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.Main;
import io.lockkeeper.lab.process.ChildProcess;
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.servers.JavaCommand;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A worker in a JVM of its own. */
final class WorkerProcess implements Worker {

  private static final long END_SECONDS = 60;

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

  static WorkerProcess start(WorkerOrder order) {
    Path log = order.historyFolder().resolve(order.process() + ".log");
    ChildProcess process =
        ChildProcess.start(
            ChildProcess.java(JavaCommand.SMALL, Main.class.getName(), TortureWorkerCommand.NAME),
            Redirect.to(log.toFile()));
    WorkerProcess worker = new WorkerProcess(order.process(), process, log);
    process.say(Messages.write(order));
    process.listen(
        "worker-" + order.process(),
        line -> worker.acquisitions.set(Long.parseLong(line)),
        failure -> {});
    return worker;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long acquisitions() {
    return Math.max(0, acquisitions.get());
  }

  @Override
  public boolean hasBegun() {
    return acquisitions.get() >= 0;
  }

  @Override
  public void kill() {
    process.close();
    try {
      process.awaitEnd(END_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void freeze() {
    process.freeze(true);
  }

  @Override
  public void thaw() {
    process.freeze(false);
  }

  @Override
  public void stop() {
    process.say(WorkerOrder.STOP);
  }

  @Override
  public String awaitEnd() throws InterruptedException {
    if (!process.awaitEnd(END_SECONDS)) {
      return name + " did not end within " + END_SECONDS + " s, see " + log;
    }
    int status = process.status();
    return status == 0 ? "" : name + " ended with status " + status + ", see " + log;
  }

  @Override
  public void close() {
    process.close();
  }
}
