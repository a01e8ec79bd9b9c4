package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.results.Latency;
import io.lockkeeper.bench.results.ServiceResult;
import io.lockkeeper.bench.results.ServiceRound;
import io.lockkeeper.bench.results.ServiceRow;
import io.lockkeeper.bench.results.ServiceStanding;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * Runs one load of services: first each contender loops through it without pauses, until its code
 * is compiled; then they have their turns.
 */
final class ServicesRunner {

  /** Threads of two rounds have seeds that are further apart than their numbers. */
  private static final long SEEDS_PER_ROUND = 1_000;

  private final ServicesPlan plan;
  private final Crews crews;
  private final long serverPid;
  private final Progress progress;

  ServicesRunner(ServicesPlan plan, Crews crews, long serverPid, Progress progress) {
    this.plan = plan;
    this.crews = crews;
    this.serverPid = serverPid;
    this.progress = progress;
  }

  ServiceResult run(ServiceRow row) {
    List<Score> scores = plan.contenders().stream().map(it -> new Score(row, it)).toList();
    scores.forEach(score -> play(score, 0));
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Score score : scores) {
        play(score, round);
      }
    }
    return new ServiceResult(row, scores.stream().map(Score::standing).toList());
  }

  /** Plays a round; that of number 0 warms up, and does not count. */
  private void play(Score score, int round) {
    if (score.failed) {
      return;
    }
    boolean counts = round > 0;
    try {
      ServiceTurn turn =
          new ServiceTurn(
              serverPid,
              crews.of(score.contender.product()),
              score.row,
              score.contender,
              plan.seed() + SEEDS_PER_ROUND * round);
      ServiceTurn.Outcome outcome = counts ? turn.play(plan.turn()) : turn.warmUp(plan.warmUp());
      if (counts) {
        score.add(outcome);
        tell(score, round, outcome.round());
      }
    } catch (WorkerFailedException e) {
      score.fail(e);
      crews.discard(score.contender.product());
      progress.say("%s: %s: %s", score.row.title(), score.contender.label(), e.problem());
    }
  }

  private void tell(Score score, int number, ServiceRound round) {
    progress.say(
        "%s: turn %d/%d: %-38s %,7.0f/s  wait p50 %,.0f  p90 %,.0f  p99 %,.0f  max %,.0f us, held"
            + " %.2f, client %,.0f us, server %,.0f us, %.1f switches, %,.0f bytes, %d to %d",
        score.row.title(),
        number,
        plan.rounds(),
        score.contender.label(),
        round.perSecond(),
        round.waits().p50Micros(),
        round.waits().p90Micros(),
        round.waits().p99Micros(),
        round.waits().maxMicros(),
        round.heldShare(),
        round.clientCpuMicros(),
        round.serverCpuMicros(),
        round.switches(),
        round.bytes(),
        round.least(),
        round.most());
  }

  /** What one contender has done so far. */
  private static final class Score {

    private final ServiceRow row;
    private final Contender contender;
    private final List<ServiceRound> rounds = new ArrayList<>();
    private final Histogram waits = Histograms.create();
    private final TreeSet<String> problems = new TreeSet<>();
    private boolean failed;

    Score(ServiceRow row, Contender contender) {
      this.row = row;
      this.contender = contender;
    }

    void add(ServiceTurn.Outcome outcome) {
      rounds.add(outcome.round());
      waits.add(outcome.waits());
      problems.addAll(outcome.problems());
    }

    void fail(WorkerFailedException failure) {
      failed = true;
      problems.add(failure.problem());
    }

    ServiceStanding standing() {
      return new ServiceStanding(contender, rounds, Latency.of(waits), List.copyOf(problems));
    }
  }
}
