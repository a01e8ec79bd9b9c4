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
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.lab.process.ParentProcess;
import java.util.concurrent.Callable;
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
  private static final long CONNECT_NANOS = 30_000_000_000L;

  @Override
  public Integer call() throws InterruptedException {
    ParentProcess parent = ParentProcess.listen();
    WorkerOrder order = Messages.read(parent.lines().take(), WorkerOrder.class);
    return work(order, new CoordinatorLink(parent));
  }

  private static int work(WorkerOrder order, CoordinatorLink link) throws InterruptedException {
    try (FileRecorder recorder =
            new FileRecorder(History.file(order.historyFolder(), order.process()));
        StallWatch watch = new StallWatch(order.process(), recorder);
        @Nullable Subject subject = connectPatiently(order, recorder, link)) {
      if (subject == null) {
        return ExitStatus.OK;
      }
      int status = load(order, link, subject, recorder);
      watch.stop();
      return status;
    }
  }

  private static int load(
      WorkerOrder order, CoordinatorLink link, Subject subject, Recorder recorder)
      throws InterruptedException {
    try (Load load =
        new Load(order.process(), order.threads(), order.plan(), subject, link, recorder)) {
      do {
        link.tell(load.acquisitions());
      } while (!link.awaitStop(PROGRESS_MILLIS));
      load.stop();
      boolean ended = load.join(JOIN_MILLIS);
      link.tell(load.acquisitions());
      return ended ? ExitStatus.OK : ExitStatus.FAILED;
    }
  }

  /**
   * Connects, again and again while a fault prevents it. Returns null if the round ends before
   * that, unless the worker has tried for longer than any fault lasts.
   */
  private static @Nullable Subject connectPatiently(
      WorkerOrder order, Recorder recorder, CoordinatorLink link) throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      try {
        return open(order, recorder);
      } catch (RuntimeException e) {
        System.err.println(e);
        if (link.awaitStop(PROGRESS_MILLIS)) {
          if (System.nanoTime() - start > CONNECT_NANOS) {
            throw e;
          }
          return null;
        }
      }
    }
  }

  private static Subject open(WorkerOrder order, Recorder recorder) {
    return order.subject().equals(WorkerOrder.OWN)
        ? keeper(order, recorder)
        : SubjectProvider.find(order.subject())
            .open(order.subject(), order.storeUrl(), order.namespace(), order.lease());
  }

  private static KeeperSubject keeper(WorkerOrder order, Recorder recorder) {
    FaultyCallbacks faults = new FaultyCallbacks(order.plan().seed());
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
