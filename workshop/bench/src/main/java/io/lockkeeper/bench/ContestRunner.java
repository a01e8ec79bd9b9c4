package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.lab.report.Histograms;
import io.lockkeeper.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Runs one contest: a warm-up turn without pauses for each contender, then rounds in which each has
 * its turn, so that whatever else the machine is doing meets all of them alike.
 */
final class ContestRunner {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  /** Threads of two rounds or processes have seeds that are further apart than their numbers. */
  private static final long SEEDS = 1_000;

  /** How long threads run before they are measured; those of services connect meanwhile. */
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long SERVICES_LEAD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration PREPARE_LIMIT = Duration.ofSeconds(60);

  /** How much longer than the window a turn may take: what is under way at its end is finished. */
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

  private final Plan plan;
  private final Arena arena;
  private final Crews crews;
  private final Progress progress;

  ContestRunner(Plan plan, Arena arena, Crews crews, Progress progress) {
    this.plan = plan;
    this.arena = arena;
    this.crews = crews;
    this.progress = progress;
  }

  /** What a turn brought. */
  record Outcome(Round round, Histogram times, List<String> problems) {}

  ContestResult run(ContestPlan contest) {
    List<Score> scores = contest.contenders().stream().map(Score::new).toList();
    scores.forEach(score -> play(contest, score, 0));
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Score score : scores) {
        play(contest, score, round);
      }
    }
    return new ContestResult(
        contest.kind(),
        contest.processes(),
        contest.threads(),
        contest.work(),
        scores.stream().map(Score::standing).toList());
  }

  /** Plays a round; that of number 0 warms up, and does not count. */
  private void play(ContestPlan contest, Score score, int round) {
    if (score.failed) {
      return;
    }
    try {
      Outcome outcome = play(contest, score.contender, round);
      if (round > 0) {
        score.add(outcome);
        say(contest, round, score.contender, outcome.round());
      }
    } catch (WorkerFailedException e) {
      score.fail(e);
      crews.discard(score.contender.product());
      progress.say("%s: %s: %s", contest.title(), score.contender.label(), e.problem());
    }
  }

  /** Plays a turn: the same window in all processes of a contender. */
  Outcome play(ContestPlan contest, Contender contender, int round) throws WorkerFailedException {
    Duration window = round == 0 ? plan.warmUp() : plan.turn();
    List<WorkerProcess> crew = crews.of(contender.product());
    List<WorkerProcess> workers = crew.subList(0, contest.processes(crew.size()));
    RedisServer stock = contest.work() == Work.ORDER ? arena.redis() : null;
    String key = contest.spec(contender, crew.size(), true, 0).stockKey();
    if (stock != null) {
      stock.command("SET", key, "0");
    }
    long seed = SEEDS * SEEDS * round;
    for (WorkerProcess worker : workers) {
      seed += SEEDS;
      worker.send(new Command.Prepare(contest.spec(contender, crew.size(), round > 0, seed)));
    }
    for (WorkerProcess worker : workers) {
      worker.await(Reply.Done.class, PREPARE_LIMIT);
    }
    long lead = contest.kind().isService() ? SERVICES_LEAD_NANOS : LEAD_NANOS;
    long startNanos = System.nanoTime() + Math.min(lead, window.toNanos());
    long endNanos = startNanos + window.toNanos();
    workers.forEach(worker -> worker.send(new Command.Run(startNanos, endNanos)));
    double serverNanos = ProcessUse.within(arena.pids(), startNanos, endNanos);
    List<Reply.Contested> replies = new ArrayList<>();
    for (WorkerProcess worker : workers) {
      replies.add(worker.await(Reply.Contested.class, DRAIN_LIMIT));
    }
    return summarize(window, replies, serverNanos, stock == null ? null : number(stock, key));
  }

  private static long number(RedisServer redis, String key) {
    return Long.parseLong(String.valueOf(redis.command("GET", key)));
  }

  /**
   * Adds up what the processes of a contender report.
   *
   * @param ordered how many orders the stock knows of, if there were any
   */
  static Outcome summarize(
      Duration window, List<Reply.Contested> replies, double serverNanos, @Nullable Long ordered) {
    Histogram times = Histograms.create();
    List<String> problems = new ArrayList<>();
    for (Reply.Contested reply : replies) {
      times.add(Histograms.decode(reply.histogram()));
      problems.addAll(reply.problems());
    }
    double counted = sum(replies, Reply.Contested::counted);
    double each = counted == 0 ? Double.NaN : counted;
    double total = sum(replies, Reply.Contested::total);
    Round round =
        new Round(
            counted * NANOS_PER_SECOND / window.toNanos(),
            Latency.of(times),
            sum(replies, Reply.Contested::heldNanos) / window.toNanos(),
            sum(replies, Reply.Contested::cpuNanos) / each / NANOS_PER_MICRO,
            serverNanos / each / NANOS_PER_MICRO,
            ordered == null ? 0 : (long) total - ordered);
    return new Outcome(round, times, problems);
  }

  private static double sum(
      List<Reply.Contested> replies, ToDoubleFunction<Reply.Contested> figure) {
    return replies.stream().mapToDouble(figure).sum();
  }

  private void say(ContestPlan contest, int number, Contender contender, Round round) {
    progress.say(
        "%s: turn %d/%d: %-38s %,10.0f/s  p50 %,.0f  p99 %,.0f  max %,.0f us, client %,.0f us,"
            + " server %,.0f us",
        contest.title(),
        number,
        plan.rounds(),
        contender.label(),
        round.perSecond(),
        round.latency().p50Micros(),
        round.latency().p99Micros(),
        round.latency().maxMicros(),
        round.clientCpuMicros(),
        round.serverCpuMicros());
  }

  /** What one contender has done so far. */
  private static final class Score {

    private final Contender contender;
    private final List<Round> rounds = new ArrayList<>();
    private final Histogram times = Histograms.create();
    private final TreeSet<String> problems = new TreeSet<>();
    private boolean failed;

    Score(Contender contender) {
      this.contender = contender;
    }

    void add(Outcome outcome) {
      rounds.add(outcome.round());
      times.add(outcome.times());
      problems.addAll(outcome.problems());
    }

    void fail(WorkerFailedException failure) {
      failed = true;
      problems.add(failure.problem());
    }

    Standing standing() {
      return new Standing(contender, rounds, Latency.of(times), List.copyOf(problems));
    }
  }
}
