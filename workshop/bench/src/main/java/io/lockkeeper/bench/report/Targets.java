package io.lockkeeper.bench.report;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.bench.results.ContestResult;
import io.lockkeeper.bench.results.ContestResult.Kind;
import io.lockkeeper.bench.results.HandOverResult;
import io.lockkeeper.bench.results.Results;
import io.lockkeeper.bench.results.Round;
import io.lockkeeper.bench.results.Standing;
import io.lockkeeper.bench.worker.Work;
import io.lockkeeper.lab.report.Numbers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What Lockkeeper sets out to reach beside the others, and what a run has found. */
public final class Targets {

  private static final double LOCK_FACTOR = 20;
  private static final double ZOOKEEPER_LOCK_FACTOR = 100;
  private static final double FAIR_FACTOR = 6;
  private static final double UNCONTENDED_FACTOR = 2.2;
  private static final double ZOOKEEPER_ALONE_FACTOR = 2.5;
  private static final double IDLE_FACTOR = 50;
  private static final double IDLE_WAIT_MICROS = 10_000;
  private static final double OWN_NAMES_FACTOR = 1.5;
  private static final double SYNCED_ALONE_FACTOR = 1.5;
  private static final double SQL_FAIR_FACTOR = 3;
  private static final double ZOOKEEPER_FAIR_FACTOR = 10;
  private static final double TWO_CLIENTS_FACTOR = 1.5;
  private static final double LOCK_SCRIPT_MICROS = 15;
  private static final double OTHER_SCRIPT_MICROS = 25;
  private static final double METERED_SHARE = 0.97;
  private static final double ORDER_SHARE = 0.9;
  private static final double HAND_OVER_SHARE = 0.6;
  private static final double SERVER_CPU_SHARE = 0.5;
  private static final double FLEET_LOCK_FACTOR = 10;
  private static final double FLEET_FAIR_FACTOR = 8;
  private static final double FLEET_LOCKS_FACTOR = 2.5;
  private static final double OTHERS_FACTOR = 5;
  private static final double OTHERS_ALONE_FACTOR = 1.5;

  private static final Set<Sort> LOCKS = EnumSet.of(Sort.LOCK, Sort.IDLE_LOCK);
  private static final Set<Sort> OTHERS = EnumSet.complementOf(EnumSet.copyOf(LOCKS));

  private static final String ALONE = "one thread alone";

  private final Results results;
  private final List<Target> targets = new ArrayList<>();

  private Targets(Results results) {
    this.results = results;
  }

  /** Whether a target was reached. */
  public enum Verdict {
    REACHED,
    MISSED,
    NOT_MEASURED
  }

  /**
   * One target.
   *
   * @param what the measured thing
   * @param goal the least that is asked for
   * @param measured what the run has found
   */
  public record Target(String what, String goal, String measured, Verdict verdict) {

    /** Returns it as one line of text. */
    public String line() {
      return verdict + ": " + what + ": " + measured + " (target " + goal + ")";
    }
  }

  /** Compares {@code results} with all targets. */
  public static List<Target> of(Results results) {
    Targets targets = new Targets(results);
    switch (results.setting().site()) {
      case REDIS -> targets.atRedis();
      case ZOOKEEPER -> targets.atZooKeeper();
      case POSTGRESQL, MARIADB -> targets.whereChangesAreSynced(SQL_FAIR_FACTOR);
      case ETCD -> targets.whereChangesAreSynced(1);
    }
    targets.exclusion();
    return List.copyOf(targets.targets);
  }

  private void atRedis() {
    oneLock(Contender.LOCKKEEPER_LOCK, LOCK_FACTOR);
    oneLock(Contender.LOCKKEEPER_FAIR, FAIR_FACTOR);
    pairs(ALONE, Kind.UNCONTENDED, Contender.LOCKKEEPER_LOCK, UNCONTENDED_FACTOR);
    serverCpu(ALONE, Kind.UNCONTENDED, Contender.LOCKKEEPER_LOCK);
    pairs(ALONE, Kind.UNCONTENDED, Contender.LOCKKEEPER_EACH, UNCONTENDED_FACTOR);
    serverCpu(ALONE, Kind.UNCONTENDED, Contender.LOCKKEEPER_EACH);
    pairs(ALONE, Kind.UNCONTENDED, Contender.LOCKKEEPER_IDLE, IDLE_FACTOR);
    idleWait();
    pairs("threads with a lock each", Kind.OWN_NAMES, Contender.LOCKKEEPER_LOCK, OWN_NAMES_FACTOR);
    metered();
    order();
    ratioOf(Kind.LATCH, Contender.LOCKKEEPER_LATCH, 1);
    ratioOf(Kind.COUNTER, Contender.LOCKKEEPER_COUNTER, 1);
    handOver(Contender.LOCKKEEPER_LOCK, HAND_OVER_SHARE);
    fleet(Kind.FLEET_LOCK, Contender.LOCKKEEPER_LOCK, FLEET_LOCK_FACTOR);
    fleet(Kind.FLEET_LOCK, Contender.LOCKKEEPER_EACH, FLEET_LOCK_FACTOR);
    fleet(Kind.FLEET_LOCK, Contender.LOCKKEEPER_FAIR, FLEET_FAIR_FACTOR);
    fleet(Kind.FLEET_LOCKS, Contender.LOCKKEEPER_LOCK, FLEET_LOCKS_FACTOR);
    fleet(Kind.FLEET_WRITE_LOCKS, Contender.LOCKKEEPER_WRITE, OTHERS_ALONE_FACTOR);
    fleet(Kind.FLEET_READ_LOCKS, Contender.LOCKKEEPER_READ, OTHERS_ALONE_FACTOR);
    fleet(Kind.FLEET_SEMAPHORES, Contender.LOCKKEEPER_SEMAPHORE, OTHERS_ALONE_FACTOR);
    fleet(Kind.FLEET_WRITE, Contender.LOCKKEEPER_WRITE, OTHERS_FACTOR);
    fleet(Kind.FLEET_SEMAPHORE, Contender.LOCKKEEPER_SEMAPHORE, OTHERS_FACTOR);
    scripts("a lock's scripts at the server", LOCKS, LOCK_SCRIPT_MICROS);
    scripts("any other's scripts at the server", OTHERS, OTHER_SCRIPT_MICROS);
  }

  private void atZooKeeper() {
    oneLock(Contender.LOCKKEEPER_LOCK, ZOOKEEPER_LOCK_FACTOR);
    oneLock(Contender.LOCKKEEPER_FAIR, ZOOKEEPER_FAIR_FACTOR);
    twoClients(Contender.LOCKKEEPER_LOCK, TWO_CLIENTS_FACTOR);
    pairs(ALONE, Kind.UNCONTENDED, Contender.LOCKKEEPER_LOCK, ZOOKEEPER_ALONE_FACTOR);
    handOver(Contender.LOCKKEEPER_LOCK, 1);
    ratioOf(Kind.READ_TOGETHER, Contender.LOCKKEEPER_READ, OTHERS_FACTOR);
    ratioOf(Kind.WRITE, Contender.LOCKKEEPER_WRITE, OTHERS_FACTOR);
    ratioOf(Kind.SEMAPHORE, Contender.LOCKKEEPER_SEMAPHORE, OTHERS_FACTOR);
  }

  private void whereChangesAreSynced(double fairFactor) {
    oneLock(Contender.LOCKKEEPER_LOCK, LOCK_FACTOR);
    oneLock(Contender.LOCKKEEPER_FAIR, fairFactor);
    pairs(ALONE, Kind.UNCONTENDED, Contender.LOCKKEEPER_LOCK, SYNCED_ALONE_FACTOR);
  }

  private void ratioOf(Kind kind, Contender contender, double factor) {
    ratio(title(kind) + ": " + contender.label(), factor, duel(kind, contender));
  }

  private Optional<Duel> duel(Kind kind, Contender contender) {
    return results.largest(kind, Work.NONE).flatMap(c -> Duel.in(c, contender));
  }

  private String title(Kind kind) {
    return results.largest(kind, Work.NONE).map(ContestResult::title).orElse(kind.toString());
  }

  private void fleet(Kind kind, Contender contender, double factor) {
    ratioOf(kind, contender, factor);
    serverCpu(title(kind), kind, contender);
  }

  private void serverCpu(String where, Kind kind, Contender contender) {
    String what = where + ": " + contender.label() + ", server CPU";
    String goal = "at most " + Numbers.times(SERVER_CPU_SHARE);
    Optional<Duel> duel = duel(kind, contender);
    if (duel.isEmpty()) {
      missing(what, goal);
      return;
    }
    double share =
        duel.get().mine.medianRatio(duel.get().theirs, Round::serverCpuMicrosPerAcquisition);
    String measured = Numbers.times(share) + " " + duel.get().theirs.contender().label();
    targets.add(new Target(what, goal, measured, verdict(share <= SERVER_CPU_SHARE)));
  }

  /** Compares the mean time inside a script or function, in the contest where it is longest. */
  private void scripts(String what, Set<Sort> sorts, double mostMicros) {
    String goal = "at most " + Numbers.time(mostMicros);
    double longest =
        results.contests().stream()
            .flatMap(contest -> contest.standings().stream())
            .filter(standing -> standing.contender().product() == Library.LOCKKEEPER)
            .filter(standing -> sorts.contains(standing.contender().sort()))
            .mapToDouble(standing -> standing.median(Round::scriptMicros))
            .filter(micros -> micros > 0)
            .max()
            .orElse(Double.NaN);
    if (Double.isNaN(longest)) {
      missing(what, goal);
      return;
    }
    String measured = Numbers.time(longest) + " each in the contest with the longest";
    targets.add(new Target(what, goal, measured, verdict(longest <= mostMicros)));
  }

  private void handOver(Contender contender, double mostShare) {
    String what = "from one client to another: " + contender.label() + ", median";
    String goal = "at most " + Numbers.times(mostShare);
    Optional<HandOverResult> mine = handOverOf(contender);
    Optional<HandOverResult> theirs =
        contender.rivals().stream().map(this::handOverOf).flatMap(Optional::stream).findFirst();
    if (mine.isEmpty() || theirs.isEmpty()) {
      missing(what, goal);
      return;
    }
    double share = mine.get().medianRatio(theirs.get());
    String measured = Numbers.times(share) + " " + theirs.get().contender().label();
    targets.add(new Target(what, goal, measured, verdict(share <= mostShare)));
  }

  private Optional<HandOverResult> handOverOf(Contender contender) {
    return results.handOvers().stream()
        .filter(result -> result.contender() == contender && result.count() > 0)
        .findFirst();
  }

  private void twoClients(Contender contender, double factor) {
    ratio(
        "one lock, 2 JVMs x 1 thread: " + contender.label() + ", throughput",
        factor,
        results.contests(Kind.ONE_LOCK, Work.NONE).stream()
            .filter(contest -> contest.processes() == 2 && contest.threads() == 2)
            .findFirst()
            .flatMap(contest -> Duel.in(contest, contender)));
  }

  private void oneLock(Contender contender, double factor) {
    Optional<ContestResult> contest = results.largest(Kind.ONE_LOCK, Work.NONE);
    String where = contest.map(ContestResult::title).orElse("one lock") + ": " + contender.label();
    Optional<Duel> duel = contest.flatMap(c -> Duel.in(c, contender));
    ratio(where + ", throughput", factor, duel);
    String goal = "lower";
    if (duel.isEmpty()) {
      missing(where + ", p99 wait", goal);
      return;
    }
    double mine = duel.get().mine.latency().p99Micros();
    double theirs = duel.get().theirs.latency().p99Micros();
    String measured = Numbers.time(mine) + " against " + Numbers.time(theirs);
    targets.add(new Target(where + ", p99 wait", goal, measured, verdict(mine < theirs)));
  }

  private void pairs(String what, Kind kind, Contender contender, double factor) {
    Optional<ContestResult> contest = results.largest(kind, Work.NONE);
    String count = kind == Kind.OWN_NAMES ? contest.map(c -> c.threads() + " ").orElse("") : "";
    ratio(
        count + what + ": " + contender.label() + ", lock and unlock",
        factor,
        contest.flatMap(c -> Duel.in(c, contender)));
  }

  private void idleWait() {
    String what = Contender.LOCKKEEPER_IDLE.label() + ": median wait of another client";
    String goal = "at most " + Numbers.time(IDLE_WAIT_MICROS);
    Optional<HandOverResult> result =
        results.handOvers().stream()
            .filter(r -> r.contender() == Contender.LOCKKEEPER_IDLE && r.count() > 0)
            .findFirst();
    if (result.isEmpty()) {
      missing(what, goal);
      return;
    }
    double median = result.get().latency().p50Micros();
    targets.add(new Target(what, goal, Numbers.time(median), verdict(median <= IDLE_WAIT_MICROS)));
  }

  private void ratio(String what, double factor, Optional<Duel> duel) {
    String goal = "at least " + Numbers.times(factor);
    if (duel.isEmpty()) {
      missing(what, goal);
      return;
    }
    double ratio = duel.get().mine.medianRatio(duel.get().theirs, Round::perSecond);
    String measured = Numbers.times(ratio) + " " + duel.get().theirs.contender().label();
    targets.add(new Target(what, goal, measured, verdict(ratio >= factor)));
  }

  private void metered() {
    String goal = "at least " + Numbers.percent(METERED_SHARE) + " of the lock without metrics";
    share(Work.NONE, Contender.LOCKKEEPER_METERED, Contender.LOCKKEEPER_LOCK, METERED_SHARE, goal);
  }

  private void order() {
    String goal = "at least " + Numbers.percent(ORDER_SHARE) + " of one JVM with ReentrantLock";
    share(Work.ORDER, Contender.LOCKKEEPER_LOCK, Contender.REENTRANT_LOCK, ORDER_SHARE, goal);
  }

  /** Compares one contender's throughput on one lock with another's that it is to come near. */
  private void share(Work work, Contender one, Contender other, double least, String goal) {
    Optional<ContestResult> contest = results.largest(Kind.ONE_LOCK, work);
    String what = contest.map(ContestResult::title).orElse("one lock") + ": " + one.label();
    Optional<Duel> duel = contest.flatMap(c -> Duel.of(c, one, other));
    if (duel.isEmpty()) {
      missing(what, goal);
      return;
    }
    double share = duel.get().mine.medianRatio(duel.get().theirs, Round::perSecond);
    targets.add(new Target(what, goal, Numbers.percent(share), verdict(share >= least)));
  }

  private void exclusion() {
    List<Standing> mine =
        results.contests().stream()
            .flatMap(contest -> contest.standings().stream())
            .filter(s -> s.contender().product() == Library.LOCKKEEPER && !s.rounds().isEmpty())
            .toList();
    String what = "all contests: Lockkeeper's lost orders and overlaps inside one process";
    if (mine.isEmpty()) {
      missing(what, "none");
      return;
    }
    long faults = mine.stream().mapToLong(s -> s.sum(r -> r.lostOrders() + r.overlaps())).sum();
    targets.add(new Target(what, "none", Numbers.count(faults), verdict(faults == 0)));
  }

  private void missing(String what, String goal) {
    targets.add(new Target(what, goal, "not measured", Verdict.NOT_MEASURED));
  }

  private static Verdict verdict(boolean reached) {
    return reached ? Verdict.REACHED : Verdict.MISSED;
  }

  /** Two contenders of one contest that both have at least one round. */
  private record Duel(Standing mine, Standing theirs) {

    static Optional<Duel> in(ContestResult contest, Contender contender) {
      return contender.rivals().stream()
          .map(rival -> of(contest, contender, rival))
          .flatMap(Optional::stream)
          .findFirst();
    }

    static Optional<Duel> of(ContestResult contest, Contender one, Contender other) {
      Optional<Standing> mine = contest.standing(one).filter(s -> !s.rounds().isEmpty());
      Optional<Standing> theirs = contest.standing(other).filter(s -> !s.rounds().isEmpty());
      return mine.isPresent() && theirs.isPresent()
          ? Optional.of(new Duel(mine.get(), theirs.get()))
          : Optional.empty();
    }
  }
}
