package io.lockkeeper.lab.torture;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.lab.history.FileRecorder;
import io.lockkeeper.lab.history.History;
import io.lockkeeper.lab.history.Recorder;
import io.lockkeeper.lab.load.FaultyCallbacks;
import io.lockkeeper.lab.load.KeeperSubject;
import io.lockkeeper.lab.load.Load;
import io.lockkeeper.lab.load.Subject;
import io.lockkeeper.lab.load.SubjectProvider;
import io.lockkeeper.lab.process.ParentProcess;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/**
 * A worker of {@code lockkeeper torture}; not for people. It says how often it has got what it
 * wanted, again and again, and ends with its standard input.
 */
@Command(name = TortureWorkerCommand.NAME, hidden = true)
public final class TortureWorkerCommand implements Callable<Integer> {

  /** The command's name. */
  public static final String NAME = "torture-worker";

  private static final long PROGRESS_MILLIS = 250;
  private static final long JOIN_MILLIS = 30_000;

  @Override
  public Integer call() throws InterruptedException {
    ParentProcess parent = ParentProcess.listen();
    return work(WorkerOrder.read(parent.lines().take()), parent);
  }

  private static int work(WorkerOrder order, ParentProcess parent) throws InterruptedException {
    PrintStream answers = parent.answers();
    try (FileRecorder recorder =
            new FileRecorder(History.file(order.historyFolder(), order.process()));
        StallWatch watch = new StallWatch(order.process(), recorder);
        RegisterClient register = new RegisterClient(order.registerPort());
        Subject subject = connectPatiently(order, recorder, parent);
        Load load =
            new Load(order.process(), order.threads(), order.plan(), subject, register, recorder)) {
      @Nullable String line = null;
      while (line == null || !line.equals(WorkerOrder.STOP)) {
        answers.println(load.acquisitions());
        answers.flush();
        line = parent.lines().poll(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
      }
      load.stop();
      boolean ended = load.join(JOIN_MILLIS);
      watch.stop();
      answers.println(load.acquisitions());
      answers.flush();
      return ended ? ExitStatus.OK : ExitStatus.FAILED;
    }
  }

  /** What is broken just now may not let a worker in. */
  private static Subject connectPatiently(
      WorkerOrder order, Recorder recorder, ParentProcess parent) throws InterruptedException {
    while (true) {
      try {
        return open(order, recorder);
      } catch (RuntimeException e) {
        System.err.println(e);
        if (WorkerOrder.STOP.equals(parent.lines().peek())) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(PROGRESS_MILLIS);
      }
    }
  }

  private static Subject open(WorkerOrder order, Recorder recorder) {
    return order.subject().equals(WorkerOrder.OWN)
        ? keeper(order, recorder)
        : SubjectProvider.find(order.subject())
            .open(order.subject(), order.storeUrl(), order.namespace(), order.lease());
  }

  static KeeperSubject keeper(WorkerOrder order, Recorder recorder) {
    FaultyCallbacks faults = new FaultyCallbacks(order.seed());
    LockkeeperBuilder builder =
        Lockkeeper.builder()
            .clientName(order.process())
            .namespace(order.namespace())
            .lease(order.lease())
            .executor(faults.executor())
            .listener(faults.listener(KeeperSubject.arrivals(order.process(), recorder)));
    return new KeeperSubject(
        builder.connect(order.storeUrl()), () -> builder.connect(order.laterUrl()), faults);
  }
}
