package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.bench.results.FootprintResult;
import io.lockkeeper.bench.worker.Command;
import io.lockkeeper.bench.worker.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Weighs waiting threads, each contender in processes of its own: one process holds the lock, the
 * threads wait in another. A small crowd goes first, so that what a client sets up once for all is
 * not charged to its waiters. No other process is connected meanwhile: a client that closes idle
 * connections of its own accord would make the count of connections wrong, even negative.
 */
final class FootprintRunner {

  private static final int FIRST_CROWD = 20;
  private static final Duration STEP_LIMIT = Duration.ofSeconds(90);
  private static final Duration ALONE_LIMIT = Duration.ofSeconds(30);
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

  private final Plan plan;
  private final Crews crews;
  private final RedisProbe probe;
  private final Progress progress;

  FootprintRunner(Plan plan, Crews crews, RedisProbe probe, Progress progress) {
    this.plan = plan;
    this.crews = crews;
    this.probe = probe;
    this.progress = progress;
  }

  List<FootprintResult> run() throws IOException {
    crews.close();
    List<FootprintResult> results = new ArrayList<>();
    for (Contender contender : plan.onServer(Sort.LOCK)) {
      FootprintResult result = weigh(contender);
      results.add(result);
      progress.say(
          "%d waiters: %-24s %,.0f heap bytes each, %d client threads, %d connections, all served"
              + " in %,d ms %s",
          result.waiters(),
          contender.label(),
          result.heapBytesPerWaiter(),
          result.clientThreads(),
          result.connections(),
          result.drainMillis(),
          result.problems());
    }
    return results;
  }

  private FootprintResult weigh(Contender contender) throws IOException {
    Crew crew = null;
    try {
      probe.awaitAlone(ALONE_LIMIT);
      crew = crews.fresh(contender.product());
      WorkerProcess holder = crew.worker(0);
      WorkerProcess waiters = crew.worker(crew.size() - 1);
      weighOnce(contender, holder, waiters, FIRST_CROWD);
      return weighOnce(contender, holder, waiters, plan.waiters());
    } catch (WorkerFailedException e) {
      String problem = e.problem();
      return new FootprintResult(contender, plan.waiters(), 0, 0, 0, 0, 0, 0, 0, List.of(problem));
    } finally {
      if (crew != null) {
        crew.kill();
      }
    }
  }

  private FootprintResult weighOnce(
      Contender contender, WorkerProcess holder, WorkerProcess waiters, int count)
      throws WorkerFailedException {
    String name = "bench:crowd:" + contender + ":" + count;
    holder.send(new Command.Hold(contender, name));
    holder.await(Reply.Done.class, STEP_LIMIT);
    waiters.send(new Command.Crowd(contender, name, count));
    Reply.Crowded crowded = waiters.await(Reply.Crowded.class, STEP_LIMIT);
    long connections = probe.connectionsOfOthers();
    long channels = probe.channels();
    holder.send(new Command.Unhold());
    holder.await(Reply.Done.class, STEP_LIMIT);
    waiters.send(new Command.Drain(DRAIN_LIMIT.toMillis()));
    Reply.Drained drained = waiters.await(Reply.Drained.class, DRAIN_LIMIT.plus(STEP_LIMIT));
    return new FootprintResult(
        contender,
        count,
        crowded.waiting(),
        (double) crowded.heapBytes() / count,
        crowded.clientThreads(),
        connections,
        channels,
        drained.millis(),
        drained.served(),
        drained.problems());
  }
}
