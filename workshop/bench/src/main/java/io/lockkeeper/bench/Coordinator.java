package io.lockkeeper.bench;

import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.WorkerProcess.Crews;
import io.lockkeeper.bench.WorkerProcess.WorkerFailedException;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.lab.report.Machine;
import io.lockkeeper.servers.fault.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A whole run: one server, all contests and measurements of the plan, one after another. */
final class Coordinator {

  private static final int WARM_UP_THREADS = 8;
  private static final int WARM_UP_TURNS = 3;
  private static final int FEW_THREADS = 4;
  private static final int SOME_THREADS = 8;
  private static final int MANY_THREADS = 16;
  private static final int FEW_CLIENTS = 2;
  private static final int MANY_CLIENTS = 20;

  /** How much later every byte arrives over the slow network, in each direction. */
  static final Duration DELAY = Duration.ofMillis(1);

  private final Plan plan;
  private final String command;
  private final Site site;
  private final Progress progress = new Progress(System.out);
  private final double loadBefore = Machine.loadAverage();

  /**
   * Creates a coordinator.
   *
   * @param command the command line, for the record
   */
  Coordinator(Plan plan, String command, Site site) {
    this.plan = plan;
    this.command = command;
    this.site = site;
  }

  Results run() {
    try (Arena arena = Arena.open(site);
        Crews crews = crews(arena.url())) {
      progress.say("%s", arena.description());
      ContestRunner runner = new ContestRunner(plan, arena, crews, progress);
      warmUp(runner, crews);
      List<ContestResult> contests = new ArrayList<>();
      for (ContestPlan contest : contestPlans()) {
        contests.add(
            contest.kind() == Kind.FLEET_LOCK_FAR ? far(arena, contest) : runner.run(contest));
      }
      return new Results(
          Setting.of(command, site, arena.description(), plan, loadBefore, progress),
          contests,
          plan.cases().contains(Plan.Case.HAND_OVER) ? runner.handOvers() : List.of(),
          plan.cases().contains(Plan.Case.IDLE) ? runner.idleClients() : List.of());
    }
  }

  private Crews crews(String url) {
    return new Crews(url, plan.processes(), plan.log());
  }

  /** Runs a contest over a way to the server on which every byte arrives later. */
  private ContestResult far(Arena arena, ContestPlan contest) {
    URI address = URI.create(arena.url());
    try (TcpProxy proxy = new TcpProxy(address.getHost(), address.getPort())) {
      proxy.delay(DELAY);
      String url = arena.url().replace(":" + address.getPort(), ":" + proxy.port());
      try (Crews far = crews(url)) {
        return new ContestRunner(plan, arena, far, progress).run(contest);
      }
    }
  }

  /**
   * Has each contender run for a while before anything counts: compilers, caches, connections. What
   * is not a lock shares most of its way with the locks, so that once is enough.
   */
  private void warmUp(ContestRunner runner, Crews crews) {
    for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
      List<Contender> contenders = turn == 0 ? plan.contenders() : plan.contenders(Sort.LOCK);
      for (Contender contender : contenders) {
        int processes = contender.product() == Library.JDK ? 1 : plan.processes();
        // No other thread may delete a latch while one waits at it.
        Kind kind = contender.sort() == Sort.LATCH ? Kind.LATCH : Kind.ONE_LOCK;
        Work work = turn == 1 && site == Site.REDIS ? Work.ORDER : Work.NONE;
        int threads = processes * WARM_UP_THREADS;
        try {
          runner.play(
              new ContestPlan(kind, processes, threads, processes, work, List.of(contender)),
              contender,
              0);
        } catch (WorkerFailedException e) {
          progress.say("warm-up: %s: %s", contender.label(), e.problem());
          crews.discard(contender.product());
        }
      }
    }
    progress.say("warmed up");
  }

  private List<ContestPlan> contestPlans() {
    List<ContestPlan> all = new ArrayList<>();
    for (Plan.Case each : plan.cases()) {
      switch (each) {
        case ONE_LOCK ->
            plan.threadCounts().forEach(n -> all.add(contest(Kind.ONE_LOCK, n, Work.NONE)));
        case ORDER ->
            plan.threadCounts().forEach(n -> all.add(contest(Kind.ONE_LOCK, n, Work.ORDER)));
        case UNCONTENDED -> all.add(contest(Kind.UNCONTENDED, 1, Work.NONE));
        case READ_LOCK -> all.add(synchronizer(Kind.READ_TOGETHER, FEW_THREADS));
        case WRITE_LOCK -> all.add(synchronizer(Kind.WRITE, FEW_THREADS));
        case SEMAPHORE -> all.add(synchronizer(Kind.SEMAPHORE, MANY_THREADS));
        case COUNTER -> all.add(synchronizer(Kind.COUNTER, SOME_THREADS));
        case LATCH -> all.add(synchronizer(Kind.LATCH, SOME_THREADS));
        case MULTI_LOCK -> all.add(synchronizer(Kind.MULTI_LOCK, FEW_THREADS));
        case FLEET -> {
          all.add(fleet(Kind.FLEET_LOCKS, MANY_CLIENTS, Work.NONE));
          all.add(fleet(Kind.FLEET_WRITE_LOCKS, MANY_CLIENTS, Work.NONE));
          all.add(fleet(Kind.FLEET_READ_LOCKS, MANY_CLIENTS, Work.NONE));
          all.add(fleet(Kind.FLEET_SEMAPHORES, MANY_CLIENTS, Work.NONE));
          all.add(fleet(Kind.FLEET_LOCK, MANY_CLIENTS, Work.ORDER));
          all.add(fleet(Kind.FLEET_LOCK_FAR, MANY_CLIENTS, Work.ORDER));
        }
        case FEW -> all.add(fleet(Kind.FEW, FEW_CLIENTS, Work.NONE));
        case ONE_NAME -> all.add(fleet(Kind.ONE_NAME, MANY_CLIENTS, Work.NONE));
        case HAND_OVER, IDLE -> {
          // no contests
        }
      }
    }
    all.removeIf(contest -> contest.contenders().isEmpty());
    all.removeIf(contest -> contest.work() == Work.ORDER && site != Site.REDIS);
    return all;
  }

  private List<Contender> contenders(Kind kind, Work work) {
    if (kind.isService()) {
      return plan.contenders(Sort.LOCK, Sort.SERVICE);
    }
    return switch (kind) {
      case ONE_LOCK -> work == Work.ORDER ? plan.contenders(Sort.LOCK) : plan.onServer(Sort.LOCK);
      case UNCONTENDED -> plan.onServer(Sort.LOCK, Sort.IDLE_LOCK);
      default -> plan.onServer(kind.sort);
    };
  }

  private ContestPlan fleet(Kind kind, int clients, Work work) {
    int all = Math.max(1, clients / plan.processes()) * plan.processes();
    int threads = all * kind.threadsEach(1, 1);
    return new ContestPlan(kind, plan.processes(), threads, all, work, contenders(kind, work));
  }

  private ContestPlan synchronizer(Kind kind, int threadsPerProcess) {
    return contest(kind, plan.processes() * threadsPerProcess, Work.NONE);
  }

  /**
   * A contest in which each process has one client, and as many threads as the others; one thread
   * alone stays in one process.
   */
  private ContestPlan contest(Kind kind, int threads, Work work) {
    int processes = Math.min(plan.processes(), threads);
    int even = threads / processes * processes;
    return new ContestPlan(kind, processes, even, processes, work, contenders(kind, work));
  }
}
