package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.results.ContestResult;
import io.lockkeeper.bench.results.Latency;
import io.lockkeeper.bench.results.Round;
import io.lockkeeper.bench.results.Standing;
import io.lockkeeper.lab.report.Histograms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * Runs one contest: a warm-up turn for each contender, then rounds in which each has its turn, so
 * that whatever else the machine is doing meets all of them alike.
 */
final class ContestRunner {

  private final Plan plan;
  private final Crews crews;
  private final ServerProbe probe;
  private final Progress progress;

  ContestRunner(Plan plan, Crews crews, ServerProbe probe, Progress progress) {
    this.plan = plan;
    this.crews = crews;
    this.probe = probe;
    this.progress = progress;
  }

  ContestResult run(ContestPlan contest) throws IOException {
    Map<Contender, Score> scores = new EnumMap<>(Contender.class);
    for (Contender contender : contest.contenders()) {
      Score score = new Score();
      scores.put(contender, score);
      play(contest, contender, score, false);
    }
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Contender contender : contest.contenders()) {
        Score score = scores.getOrDefault(contender, new Score());
        if (!score.failed) {
          play(contest, contender, score, true);
          tell(contest, round, contender, score);
        }
      }
    }
    List<Standing> standings = new ArrayList<>();
    scores.forEach((contender, score) -> standings.add(score.standing(contender)));
    return new ContestResult(
        contest.kind(), contest.processes(), contest.threads(), contest.work(), standings);
  }

  private void play(ContestPlan contest, Contender contender, Score score, boolean counts)
      throws IOException {
    try {
      Crew crew = crews.of(contender.product());
      int processes = contest.processes(crew.size());
      Turn turn = new Turn(probe, crew, processes, contest.spec(contender, crew.size()));
      Turn.Outcome outcome = turn.play(counts ? plan.turn() : plan.warmUp());
      if (counts) {
        score.add(outcome);
      }
    } catch (WorkerFailedException e) {
      score.fail(e);
      crews.discard(contender.product());
      progress.say("%s: %s: %s", contest.title(), contender.label(), e.problem());
    }
  }

  private void tell(ContestPlan contest, int round, Contender contender, Score score) {
    if (!score.rounds.isEmpty()) {
      Round last = score.rounds.get(score.rounds.size() - 1);
      progress.say(
          "%s: round %d/%d: %-24s %,10.0f/s  p50 %,.0f  p99 %,.0f  max %,.0f us",
          contest.title(),
          round,
          plan.rounds(),
          contender.label(),
          last.perSecond(),
          last.latency().p50Micros(),
          last.latency().p99Micros(),
          last.latency().maxMicros());
    }
  }

  /** What one contender has done so far. */
  private static final class Score {
    private final List<Round> rounds = new ArrayList<>();
    private final Histogram times = Histograms.create();
    private final TreeSet<String> problems = new TreeSet<>();
    private boolean failed;

    void add(Turn.Outcome outcome) {
      rounds.add(outcome.round());
      times.add(outcome.times());
      problems.addAll(outcome.problems());
    }

    void fail(WorkerFailedException failure) {
      failed = true;
      problems.add(failure.problem());
    }

    Standing standing(Contender contender) {
      return new Standing(contender, rounds, Latency.of(times), List.copyOf(problems));
    }
  }
}
