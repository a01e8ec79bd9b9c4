package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.coordinator.Plan.Case;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.bench.results.CommandsResult;
import io.lockkeeper.bench.results.ContestResult;
import io.lockkeeper.bench.results.ContestResult.Kind;
import io.lockkeeper.bench.results.FootprintResult;
import io.lockkeeper.bench.results.HandOverResult;
import io.lockkeeper.bench.results.Results;
import io.lockkeeper.bench.results.Setting;
import io.lockkeeper.bench.worker.Work;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A whole run: one server, all contests and measurements of the plan, one after another. */
public final class Coordinator {

  private static final int WARM_UP_THREADS = 8;
  private static final int WARM_UP_TURNS = 3;
  private static final int FEW_THREADS = 4;
  private static final int SOME_THREADS = 8;
  private static final int MANY_THREADS = 16;
  private static final int SOME_CLIENTS = 8;
  private static final int MANY_CLIENTS = 20;

  private final Plan plan;
  private final Settings settings;
  private final Progress progress;

  /** Creates a coordinator. */
  public Coordinator(Plan plan, Settings settings) {
    this.plan = plan;
    this.settings = settings;
    this.progress = settings.progress();
  }

  /** Runs the plan. */
  public Results run() throws IOException {
    try (Arena arena = Arena.open(settings.site());
        Detour detour = new Detour(arena.url(), plan.delay());
        Crews crews = crews(arena.url());
        Crews far = crews(detour.url())) {
      String server = arena.describe();
      progress.say("%s", server);
      warmUp(crews, arena.probe());
      List<ContestResult> contests = contests(crews, far, arena.probe());
      List<HandOverResult> handOvers =
          plan.cases().contains(Case.HAND_OVER)
              ? new HandOverRunner(plan, crews, progress).run()
              : List.of();
      List<CommandsResult> commands =
          plan.cases().contains(Case.COMMANDS) && arena instanceof Arena.AtRedis redis
              ? new CommandsRunner(plan, crews, redis.probe(), redis.server(), progress).run()
              : List.of();
      List<FootprintResult> footprints =
          plan.cases().contains(Case.FOOTPRINT) && arena instanceof Arena.AtRedis redis
              ? new FootprintRunner(plan, crews, redis.probe(), progress).run()
              : List.of();
      Setting setting =
          settings.of(
              server, plan.jvmOptions(), plan.rounds(), plan.turn(), plan.warmUp(), plan.delay());
      return new Results(setting, contests, handOvers, footprints, commands);
    }
  }

  /**
   * Has each contender run for a while before anything counts: compilers, caches, connections. What
   * is not a lock shares most of its way with the locks, so that once is enough.
   */
  private void warmUp(Crews crews, ServerProbe probe) throws IOException {
    for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
      List<Contender> contenders = turn == 0 ? plan.contenders() : plan.contenders(Sort.LOCK);
      for (Contender contender : contenders) {
        int processes = contender.product() == Library.JDK ? 1 : plan.processes();
        ContestPlan contest =
            new ContestPlan(
                // Nobody else may delete a latch while one waits at it.
                contender.sort() == Sort.LATCH ? Kind.LATCH : Kind.ONE_LOCK,
                processes,
                processes * WARM_UP_THREADS,
                turn == 1 && settings.site() == Site.REDIS ? Work.ORDER : Work.NONE,
                List.of(contender));
        try {
          Crew crew = crews.of(contender.product());
          new Turn(
                  probe, crew, contest.processes(crew.size()), contest.spec(contender, crew.size()))
              .play(plan.warmUp());
        } catch (WorkerFailedException e) {
          progress.say("warm-up: %s: %s", contender.label(), e.problem());
          crews.discard(contender.product());
        }
      }
    }
    progress.say("warmed up");
  }

  private Crews crews(String url) {
    return new Crews(url, plan.processes(), plan.jvmOptions(), plan.log());
  }

  private List<ContestResult> contests(Crews crews, Crews far, ServerProbe probe)
      throws IOException {
    ContestRunner here = new ContestRunner(plan, crews, probe, progress);
    ContestRunner there = new ContestRunner(plan, far, probe, progress);
    List<ContestResult> results = new ArrayList<>();
    for (ContestPlan contest : contestPlans()) {
      results.add((contest.isFar() ? there : here).run(contest));
    }
    far.close(); // what comes next counts connections
    return results;
  }

  private List<ContestPlan> contestPlans() {
    List<Contender> onRedis = plan.onServer(Sort.LOCK);
    List<ContestPlan> all = new ArrayList<>();
    if (plan.cases().contains(Case.ONE_LOCK)) {
      List<Contender> contenders = plan.onServer(Sort.LOCK, Sort.METERED_LOCK);
      plan.threadCounts().forEach(n -> all.add(oneLock(n, Work.NONE, contenders)));
    }
    if (plan.cases().contains(Case.ORDER) && settings.site() == Site.REDIS) {
      plan.threadCounts().forEach(n -> all.add(oneLock(n, Work.ORDER, plan.contenders(Sort.LOCK))));
    }
    if (plan.cases().contains(Case.UNCONTENDED)) {
      all.add(
          new ContestPlan(
              Kind.UNCONTENDED, 1, 1, Work.NONE, plan.onServer(Sort.LOCK, Sort.IDLE_LOCK)));
    }
    if (plan.cases().contains(Case.OWN_NAMES)) {
      all.add(new ContestPlan(Kind.OWN_NAMES, 1, plan.ownNames(), Work.NONE, onRedis));
    }
    all.addAll(synchronizers());
    if (plan.cases().contains(Case.FLEET)) {
      all.addAll(fleet());
    }
    all.removeIf(contest -> contest.contenders().isEmpty());
    return all;
  }

  private List<ContestPlan> fleet() {
    List<ContestPlan> all = new ArrayList<>();
    if (plan.fleetWork().contains(Work.NONE)) {
      all.add(fleet(Kind.FLEET_LOCK, MANY_CLIENTS, 1, Sort.LOCK));
      all.add(fleet(Kind.FLEET_LOCKS, MANY_CLIENTS, 2, Sort.LOCK));
      all.add(fleet(Kind.FLEET_WRITE_LOCKS, MANY_CLIENTS, 1, Sort.WRITE_LOCK));
      all.add(fleet(Kind.FLEET_READ_LOCKS, MANY_CLIENTS, 1, Sort.READ_LOCK));
      all.add(fleet(Kind.FLEET_SEMAPHORES, MANY_CLIENTS, 1, Sort.SEMAPHORE));
      all.add(fleet(Kind.FLEET_WRITE, SOME_CLIENTS, 2, Sort.WRITE_LOCK));
      all.add(fleet(Kind.FLEET_SEMAPHORE, SOME_CLIENTS, 2, Sort.SEMAPHORE));
    }
    for (Work work : plan.fleetWork()) {
      if (work != Work.NONE && settings.site() == Site.REDIS) {
        all.add(fleet(Kind.FLEET_LOCK, 1, work));
      }
    }
    if (!plan.delay().isZero()) {
      all.addAll(farFleet());
    }
    return all;
  }

  private List<ContestPlan> farFleet() {
    List<ContestPlan> all = new ArrayList<>();
    for (Work work : plan.fleetWork()) {
      if (work == Work.NONE || settings.site() == Site.REDIS) {
        all.add(fleet(Kind.FLEET_LOCK_FAR, 1, work));
      }
      if (work == Work.NONE) {
        all.add(fleet(Kind.FLEET_LOCKS_FAR, 2, work));
      }
    }
    return all;
  }

  private ContestPlan fleet(Kind kind, int clients, int threadsEach, Sort sort) {
    return fleet(kind, clients, threadsEach, Work.NONE, plan.onServer(sort));
  }

  private ContestPlan fleet(Kind kind, int threadsEach, Work work) {
    return fleet(kind, MANY_CLIENTS, threadsEach, work, plan.compared(Sort.LOCK));
  }

  private ContestPlan fleet(
      Kind kind, int clients, int threadsEach, Work work, List<Contender> contenders) {
    int perProcess = Math.max(1, clients / plan.processes());
    int all = perProcess * plan.processes();
    return new ContestPlan(kind, plan.processes(), all * threadsEach, all, work, contenders);
  }

  private List<ContestPlan> synchronizers() {
    List<ContestPlan> all = new ArrayList<>();
    if (plan.cases().contains(Case.READ_LOCK)) {
      all.add(synchronizer(Kind.READ_TOGETHER, FEW_THREADS, Sort.READ_LOCK));
      all.add(
          new ContestPlan(
              Kind.READ_OWN_NAMES, 1, plan.ownNames(), Work.NONE, plan.onServer(Sort.READ_LOCK)));
    }
    if (plan.cases().contains(Case.WRITE_LOCK)) {
      all.add(synchronizer(Kind.WRITE, FEW_THREADS, Sort.WRITE_LOCK));
    }
    if (plan.cases().contains(Case.SEMAPHORE)) {
      all.add(synchronizer(Kind.SEMAPHORE, MANY_THREADS, Sort.SEMAPHORE));
    }
    if (plan.cases().contains(Case.COUNTER)) {
      all.add(synchronizer(Kind.COUNTER, SOME_THREADS, Sort.COUNTER));
    }
    if (plan.cases().contains(Case.LATCH)) {
      all.add(synchronizer(Kind.LATCH, SOME_THREADS, Sort.LATCH));
    }
    if (plan.cases().contains(Case.MULTI_LOCK)) {
      all.add(synchronizer(Kind.MULTI_LOCK, FEW_THREADS, Sort.MULTI_LOCK));
    }
    return all;
  }

  private ContestPlan synchronizer(Kind kind, int threadsPerProcess, Sort sort) {
    int threads = plan.processes() * threadsPerProcess;
    return new ContestPlan(kind, plan.processes(), threads, Work.NONE, plan.onServer(sort));
  }

  /** Spreads the threads evenly; one thread alone stays in one process. */
  private ContestPlan oneLock(int threads, Work work, List<Contender> contenders) {
    int processes = Math.min(plan.processes(), threads);
    int even = threads / processes * processes;
    return new ContestPlan(Kind.ONE_LOCK, processes, even, work, contenders);
  }
}
