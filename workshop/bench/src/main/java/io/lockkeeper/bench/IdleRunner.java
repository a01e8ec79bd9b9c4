package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;
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
  private static final Duration STEP_LIMIT = Duration.ofSeconds(60);

  private final Plan plan;
  private final Crews crews;
  private final Progress progress;

  IdleRunner(Plan plan, Crews crews, Progress progress) {
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
          "an idle client: %-38s %.1f threads, %,.0f heap bytes, each second %.2f wake-ups, %,.0f us"
              + " %s",
          contender.label(),
          result.threads(),
          result.heapBytes(),
          result.wakeUpsPerSecond(),
          result.cpuMicrosPerSecond(),
          result.problems());
    }
    return results;
  }

  private IdleResult measure(Contender contender) {
    List<WorkerProcess> crew = List.of();
    try {
      crew = crews.fresh(contender.product());
      WorkerProcess worker = crew.get(0);
      idle(worker, contender, 1); // so that what all clients share is there
      Reply.Idled without = idle(worker, contender, 0);
      Reply.Idled with = idle(worker, contender, CLIENTS);
      double each = Setting.seconds(plan.turn()) * CLIENTS;
      return new IdleResult(
          contender,
          CLIENTS,
          (double) (with.threads() - without.threads()) / CLIENTS,
          (double) (with.heapBytes() - without.heapBytes()) / CLIENTS,
          (with.switches() - without.switches()) / each,
          (with.cpuNanos() - without.cpuNanos()) / NANOS_PER_MICRO / each,
          List.of());
    } catch (WorkerFailedException e) {
      return new IdleResult(contender, CLIENTS, 0, 0, 0, 0, List.of(e.problem()));
    } finally {
      crew.forEach(WorkerProcess::close);
    }
  }

  private Reply.Idled idle(WorkerProcess worker, Contender contender, int clients)
      throws WorkerFailedException {
    worker.send(new Command.Idle(contender, clients, plan.turn().toNanos()));
    return worker.await(Reply.Idled.class, plan.turn().plus(STEP_LIMIT));
  }
}
