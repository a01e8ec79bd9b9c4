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
import io.lockkeeper.lab.load.Register;
import io.lockkeeper.lab.load.Subject;
import io.lockkeeper.lab.load.SubjectProvider;
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.lab.process.ParentProcess;
import io.lockkeeper.lab.torture.Workers.WorkerOrder;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/**
 * A worker of {@code lockkeeper torture}; not for people. It says how often it has got what it
 * wanted, again and again, and ends with its standard input. The coordinator keeps the guarded
 * register, with a line for each write and a line for each answer, one at a time.
 */
@Command(name = TortureWorkerCommand.NAME, hidden = true)
public final class TortureWorkerCommand implements Callable<Integer> {

  /** The command's name. */
  public static final String NAME = "torture-worker";

  /** The line that ends a worker. */
  static final String STOP = "stop";

  /** The answer to a write that was taken; any other says that it was refused. */
  static final String TAKEN = "taken";

  private static final long PROGRESS_MILLIS = 250;
  private static final long JOIN_MILLIS = 30_000;
  private static final long CONNECT_NANOS = 30_000_000_000L;

  private final ReentrantLock lock = new ReentrantLock();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final CountDownLatch stop = new CountDownLatch(1);

  @Override
  public Integer call() throws InterruptedException {
    ParentProcess parent = ParentProcess.listen(this::hear);
    WorkerOrder order = Messages.read(answers.take(), WorkerOrder.class);
    try (FileRecorder recorder =
            new FileRecorder(History.file(order.historyFolder(), order.process()));
        StallWatch watch = new StallWatch(order.process(), recorder);
        @Nullable Subject subject = connectPatiently(order, recorder)) {
      int status = subject == null ? ExitStatus.OK : load(order, subject, recorder, parent);
      watch.stop();
      return status;
    }
  }

  private void hear(String line) {
    if (line.equals(STOP)) {
      stop.countDown();
    } else {
      answers.add(line);
    }
  }

  private boolean awaitStop() throws InterruptedException {
    return stop.await(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Has the coordinator write into the register; returns whether the write was taken. */
  private boolean write(ParentProcess parent, String line) {
    lock.lock();
    try {
      parent.say(line);
      return answers.take().equals(TAKEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      lock.unlock();
    }
  }

  private int load(WorkerOrder order, Subject subject, Recorder recorder, ParentProcess parent)
      throws InterruptedException {
    Register register =
        (resource, actor, call, token) ->
            write(parent, resource + "\t" + actor + "\t" + call + "\t" + token);
    try (Load load =
        new Load(order.process(), order.threads(), order.plan(), subject, register, recorder)) {
      do {
        parent.say(Long.toString(load.acquisitions()));
      } while (!awaitStop());
      load.stop();
      boolean ended = load.join(JOIN_MILLIS);
      parent.say(Long.toString(load.acquisitions()));
      return ended ? ExitStatus.OK : ExitStatus.FAILED;
    }
  }

  /**
   * Connects, again and again while a fault prevents it. Returns null if the round ends before
   * that, unless the worker has tried for longer than any fault lasts.
   */
  private @Nullable Subject connectPatiently(WorkerOrder order, Recorder recorder)
      throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      try {
        return open(order, recorder);
      } catch (RuntimeException e) {
        System.err.println(e);
        if (awaitStop()) {
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
