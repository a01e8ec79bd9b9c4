package io.lockkeeper.lab.oversell.contest;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.worker.FromWorker;
import io.lockkeeper.lab.oversell.worker.ToWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/** The worker processes of one variant: told things together, waited for together. */
final class Fleet implements AutoCloseable {

  private record Heard(WorkerProcess from, FromWorker message) {}

  private final String name;
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();

  /**
   * Starts {@code size} workers.
   *
   * @param name for messages
   */
  Fleet(String name, int size, List<String> command) {
    this.name = name;
    for (int number = 1; number <= size; number++) {
      workers.add(
          WorkerProcess.start(
              number, command, (from, message) -> heard.add(new Heard(from, message))));
    }
  }

  /** Sends each worker the message for its number. */
  void tell(IntFunction<ToWorker> message) {
    workers.forEach(worker -> worker.tell(message.apply(worker.number())));
  }

  /**
   * Waits until every worker has answered with a message of this kind.
   *
   * @param patience how long there may be no sign of progress
   * @param onProgress hears how many orders all of them have done
   * @throws CannotRunException if a worker fails, ends, or shows no progress for so long
   */
  <T extends FromWorker> List<T> await(Class<T> kind, Duration patience, LongConsumer onProgress)
      throws InterruptedException {
    List<T> answers = new ArrayList<>();
    Map<WorkerProcess, Long> done = new HashMap<>();
    long quietSince = System.nanoTime();
    while (answers.size() < workers.size()) {
      Heard next = heard.poll(left(quietSince, patience), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new CannotRunException(
            name + ": no progress for " + patience.toSeconds() + " s, given up");
      }
      if (next.message() instanceof FromWorker.Failed failed) {
        throw new CannotRunException(describe(next.from()) + ": " + failed.reason());
      }
      if (next.message() instanceof FromWorker.Progress progress) {
        Long before = done.put(next.from(), progress.orders());
        quietSince = before != null && before == progress.orders() ? quietSince : System.nanoTime();
        onProgress.accept(done.values().stream().mapToLong(Long::longValue).sum());
      } else {
        answers.add(kind.cast(next.message()));
        quietSince = System.nanoTime();
      }
    }
    return answers;
  }

  private static long left(long quietSince, Duration patience) {
    return Math.max(0, patience.toNanos() - (System.nanoTime() - quietSince));
  }

  private String describe(WorkerProcess worker) {
    return name + ", worker " + worker.number() + " (process " + worker.pid() + ")";
  }

  /** Ends the workers in good order; one that takes too long is left to {@link #close}. */
  void stop() throws InterruptedException {
    tell(number -> new ToWorker.Close());
    for (WorkerProcess worker : workers) {
      worker.awaitEnd();
    }
  }

  /** Kills what still runs. */
  @Override
  public void close() {
    workers.forEach(WorkerProcess::close);
  }
}
