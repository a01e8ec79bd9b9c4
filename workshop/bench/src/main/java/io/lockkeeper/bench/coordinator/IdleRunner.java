package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.results.IdleResult;
import io.lockkeeper.bench.worker.Command;
import io.lockkeeper.bench.worker.Expense;
import io.lockkeeper.bench.worker.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures what idle clients cost, each contender in a process of its own, where it is also
 * measured what the process costs without them.
 */
final class IdleRunner {

  private static final int CLIENTS = 20;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final Duration STEP_LIMIT = Duration.ofSeconds(60);

  private final ServicesPlan plan;
  private final Crews crews;
  private final Progress progress;

  IdleRunner(ServicesPlan plan, Crews crews, Progress progress) {
    this.plan = plan;
    this.crews = crews;
    this.progress = progress;
  }

  List<IdleResult> run() {
    crews.close();
    List<IdleResult> results = new ArrayList<>();
    for (Contender contender : plan.contenders()) {
      IdleResult result = measure(contender);
      results.add(result);
      progress.say(
          "an idle client: %-38s %.1f threads, %,.0f heap bytes, each second %.2f wake-ups, %,.0f"
              + " us, %,.0f bytes %s",
          contender.label(),
          result.threads(),
          result.heapBytes(),
          result.wakeUpsPerSecond(),
          result.cpuMicrosPerSecond(),
          result.bytesPerSecond(),
          result.problems());
    }
    return results;
  }

  private IdleResult measure(Contender contender) {
    Crew crew = null;
    try {
      crew = crews.fresh(contender.product());
      WorkerProcess worker = crew.worker(0);
      idle(worker, contender, 1); // so that what all clients share is there
      Reply.Idled without = idle(worker, contender, 0);
      Reply.Idled with = idle(worker, contender, CLIENTS);
      Expense each = with.expense().minus(without.expense()).per(CLIENTS);
      double seconds = plan.idle().toMillis() / MILLIS_PER_SECOND;
      return new IdleResult(
          contender,
          CLIENTS,
          (double) (with.threads() - without.threads()) / CLIENTS,
          (double) (with.heapBytes() - without.heapBytes()) / CLIENTS,
          each.switches() / seconds,
          each.cpuNanos() / NANOS_PER_MICRO / seconds,
          each.bytes() / seconds,
          List.of());
    } catch (WorkerFailedException e) {
      return new IdleResult(contender, CLIENTS, 0, 0, 0, 0, 0, List.of(e.problem()));
    } finally {
      if (crew != null) {
        crew.kill();
      }
    }
  }

  private Reply.Idled idle(WorkerProcess worker, Contender contender, int clients)
      throws WorkerFailedException {
    worker.send(new Command.Idle(contender, clients, plan.idle().toNanos()));
    return worker.await(Reply.Idled.class, plan.idle().plus(STEP_LIMIT));
  }
}
