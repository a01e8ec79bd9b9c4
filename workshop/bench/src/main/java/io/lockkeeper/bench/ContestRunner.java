package io.lockkeeper.bench;

import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.Standing.Latency;
import io.lockkeeper.bench.WorkerProcess.Crews;
import io.lockkeeper.bench.WorkerProcess.WorkerFailedException;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Sort;
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
 * Runs contests and other measurements: a warm-up turn without pauses for each contender, then
 * rounds in which each has its turn, so that whatever else the machine is doing meets all of them
 * alike.
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

  private static final Duration HAND_OVER_LIMIT = Duration.ofMinutes(2);
  private static final int WARM_UP_HAND_OVERS = 50;
  private static final int IDLE_CLIENTS = 20;
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(60);

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

  /** A contender's turn; that of round 0 warms up, and does not count. */
  private interface Turn {
    Outcome take(Contender contender, int round) throws WorkerFailedException;
  }

  ContestResult run(ContestPlan contest) {
    return new ContestResult(
        contest.kind(),
        contest.processes(),
        contest.threads(),
        contest.work(),
        turns(
            contest.title(),
            contest.contenders(),
            (contender, round) -> play(contest, contender, round)));
  }

  /** Measures hand-overs between two clients, the contenders taking turns. */
  List<HandOverResult> handOvers() {
    return turns("hand-over", plan.onServer(Sort.LOCK, Sort.IDLE_LOCK), this::handOver).stream()
        .map(
            it ->
                new HandOverResult(
                    it.contender(),
                    (long) plan.handOvers() * it.rounds().size(),
                    it.latency(),
                    it.rounds().stream().map(Round::latency).toList(),
                    it.problems()))
        .toList();
  }

  private Outcome handOver(Contender contender, int round) throws WorkerFailedException {
    WorkerProcess worker = crews.of(contender.product()).get(0);
    int times = round == 0 ? WARM_UP_HAND_OVERS : plan.handOvers();
    worker.send(new Command.HandOver(contender, "bench:hand-over:" + contender, times));
    Histogram passed =
        Histograms.decode(worker.await(Reply.HandedOver.class, HAND_OVER_LIMIT).histogram());
    double none = Double.NaN;
    return new Outcome(new Round(none, Latency.of(passed), none, none, none, 0), passed, List.of());
  }

  /** Has all contenders take their turns; one that fails has no more. */
  private List<Standing> turns(String title, List<Contender> contenders, Turn turn) {
    List<Score> scores = contenders.stream().map(Score::new).toList();
    for (int round = 0; round <= plan.rounds(); round++) {
      for (Score score : scores) {
        if (!score.failed) {
          take(title, score, round, turn);
        }
      }
    }
    return scores.stream().map(Score::standing).toList();
  }

  private void take(String title, Score score, int round, Turn turn) {
    try {
      Outcome outcome = turn.take(score.contender, round);
      if (round > 0) {
        score.add(outcome);
        say(title, round, score.contender, outcome.round());
      }
    } catch (WorkerFailedException e) {
      score.fail(e);
      crews.discard(score.contender.product());
      progress.say("%s: %s: %s", title, score.contender.label(), e.problem());
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
      worker.send(contest.spec(contender, crew.size(), round > 0, seed));
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

  private void say(String title, int number, Contender contender, Round round) {
    Latency latency = round.latency();
    progress.say(
        "%s: turn %d/%d: %-38s p50 %,.0f  p99 %,.0f  max %,.0f us, %,.0f/s, client %,.0f us,"
            + " server %,.0f us",
        title,
        number,
        plan.rounds(),
        contender.label(),
        latency.p50Micros(),
        latency.p99Micros(),
        latency.maxMicros(),
        round.perSecond(),
        round.clientCpuMicros(),
        round.serverCpuMicros());
  }

  /**
   * Measures what idle clients cost, each contender in a process of its own, where it is also
   * measured what the process costs without them.
   */
  List<IdleResult> idleClients() {
    crews.close();
    List<IdleResult> results = new ArrayList<>();
    for (Contender contender : plan.contenders()) {
      IdleResult result = idleClients(contender);
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

  private IdleResult idleClients(Contender contender) {
    List<WorkerProcess> crew = List.of();
    try {
      crew = crews.fresh(contender.product());
      WorkerProcess worker = crew.get(0);
      idle(worker, contender, 1); // so that what all clients share is there
      Reply.Idled without = idle(worker, contender, 0);
      Reply.Idled with = idle(worker, contender, IDLE_CLIENTS);
      double each = Setting.seconds(plan.turn()) * IDLE_CLIENTS;
      return new IdleResult(
          contender,
          IDLE_CLIENTS,
          (double) (with.threads() - without.threads()) / IDLE_CLIENTS,
          (double) (with.heapBytes() - without.heapBytes()) / IDLE_CLIENTS,
          (with.switches() - without.switches()) / each,
          (with.cpuNanos() - without.cpuNanos()) / NANOS_PER_MICRO / each,
          List.of());
    } catch (WorkerFailedException e) {
      return new IdleResult(contender, IDLE_CLIENTS, 0, 0, 0, 0, List.of(e.problem()));
    } finally {
      crew.forEach(WorkerProcess::close);
    }
  }

  private Reply.Idled idle(WorkerProcess worker, Contender contender, int clients)
      throws WorkerFailedException {
    worker.send(new Command.Idle(contender, clients, plan.turn().toNanos()));
    return worker.await(Reply.Idled.class, plan.turn().plus(IDLE_LIMIT));
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
