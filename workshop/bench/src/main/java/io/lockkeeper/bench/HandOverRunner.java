package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.lab.report.Histograms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Measures hand-overs between two clients, the contenders taking turns. */
final class HandOverRunner {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int WARM_UPS = 50;

  private final Plan plan;
  private final Crews crews;
  private final Progress progress;
  private final List<Contender> contenders;

  HandOverRunner(Plan plan, Crews crews, Progress progress) {
    this.plan = plan;
    this.crews = crews;
    this.progress = progress;
    this.contenders = plan.onServer(Sort.LOCK, Sort.IDLE_LOCK);
  }

  List<HandOverResult> run() {
    Map<Contender, Histogram> times = new EnumMap<>(Contender.class);
    Map<Contender, List<Latency>> rounds = new EnumMap<>(Contender.class);
    Map<Contender, String> failures = new EnumMap<>(Contender.class);
    for (int round = 0; round <= plan.rounds(); round++) {
      for (Contender contender : contenders) {
        if (!failures.containsKey(contender)) {
          boolean warmUp = round == 0;
          try {
            Histogram passed = pass(contender, warmUp ? WARM_UPS : plan.handOvers());
            if (!warmUp) {
              times.computeIfAbsent(contender, key -> Histograms.create()).add(passed);
              rounds.computeIfAbsent(contender, key -> new ArrayList<>()).add(Latency.of(passed));
              tell(round, contender, Latency.of(passed));
            }
          } catch (WorkerFailedException e) {
            failures.put(contender, e.problem());
            crews.discard(contender.product());
            progress.say("hand-over: %s: %s", contender.label(), e.problem());
          }
        }
      }
    }
    return results(times, rounds, failures);
  }

  private Histogram pass(Contender contender, int count) throws WorkerFailedException {
    WorkerProcess worker = crews.of(contender.product()).get(0);
    worker.send(new Command.HandOver(contender, "bench:hand-over:" + contender, count));
    return Histograms.decode(worker.await(Reply.HandedOver.class, LIMIT).histogram());
  }

  private void tell(int round, Contender contender, Latency latency) {
    progress.say(
        "hand-over: round %d/%d: %-24s p50 %,.0f  p90 %,.0f  p99 %,.0f us",
        round,
        plan.rounds(),
        contender.label(),
        latency.p50Micros(),
        latency.p90Micros(),
        latency.p99Micros());
  }

  private List<HandOverResult> results(
      Map<Contender, Histogram> times,
      Map<Contender, List<Latency>> rounds,
      Map<Contender, String> failures) {
    List<HandOverResult> results = new ArrayList<>();
    for (Contender contender : contenders) {
      Histogram all = times.getOrDefault(contender, Histograms.create());
      String failure = failures.get(contender);
      results.add(
          new HandOverResult(
              contender,
              all.getTotalCount(),
              Latency.of(all),
              rounds.getOrDefault(contender, List.of()),
              failure == null ? List.of() : List.of(failure)));
    }
    return results;
  }
}
