package io.lockkeeper.lab.oversell;

import io.lockkeeper.lab.oversell.worker.Worker;
import io.lockkeeper.lab.process.ParentProcess;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** What the coordinator starts its workers with; not for people. */
@Command(name = OversellWorkerCommand.NAME, hidden = true)
public final class OversellWorkerCommand implements Callable<Integer> {

  /** The command's name. */
  public static final String NAME = "oversell-worker";

  @Override
  public Integer call() {
    ParentProcess parent = ParentProcess.listen();
    return new Worker(parent.lines(), parent.answers()).run();
  }
}
