package io.lockkeeper.lab.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.lab.check.CheckSettings;
import io.lockkeeper.lab.check.HistoryChecker;
import io.lockkeeper.lab.check.RuleResult.Violation;
import io.lockkeeper.lab.check.Verdict;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.MemoryRecorder;
import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.FaultyCallbacks;
import io.lockkeeper.lab.load.KeeperSubject;
import io.lockkeeper.lab.load.Load;
import io.lockkeeper.lab.load.LoadPlan;
import io.lockkeeper.lab.load.LoadPlans;
import io.lockkeeper.lab.load.MemoryRegister;
import io.lockkeeper.memory.MemoryServer;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A recorded run tells broken stores from the one that is not. */
class MutantsTest {

  private static final int CLIENTS = 3;
  private static final int THREADS = 3;
  private static final Duration LEASE = Duration.ofMillis(400);
  private static final Duration LOOK_EVERY = Duration.ofMillis(300);

  private final MemoryServer server = new MemoryServer(System::nanoTime);
  private final MemoryRecorder recorder = new MemoryRecorder();
  private final MemoryRegister register = new MemoryRegister(recorder);

  /** Broken stores are noticed by those who wait sooner than by the limits of long runs. */
  private static CheckSettings settings() {
    return CheckSettings.of(CLIENTS, THREADS).withWaits(Delays.millis(2_500), Delays.millis(4_000));
  }

  @ParameterizedTest
  @EnumSource
  void aStoreThatBreaksAPromiseIsCaught(Mutant mutant) throws Exception {
    LastInFirstOut.Stack stack = new LastInFirstOut.Stack();
    Verdict verdict =
        run(
            plan(mutant),
            number -> mutant.around(server.factory(), number, stack),
            Delays.millis(60_000),
            found -> isCaught(mutant, found));

    assertThat(verdict.violations())
        .extracting(Violation::promise)
        .containsAnyElementsOf(mutant.promises());
    assertThat(verdict.violations()).allSatisfy(it -> assertThat(it.evidence()).isNotEmpty());
  }

  private static boolean isCaught(Mutant mutant, Verdict verdict) {
    return verdict.violations().stream().anyMatch(it -> mutant.promises().contains(it.promise()));
  }

  private static LoadPlan plan(Mutant mutant) {
    ResourceType[] types = mutant.types().toArray(ResourceType[]::new);
    return switch (mutant) {
      case LEASES_TOO_SHORT, RENEWALS_ARE_FALSE ->
          LoadPlans.of(1, Duration.ofMillis(600), Duration.ofMillis(1), types);
      case ONE_CLIENT_STARVES -> LoadPlans.of(1, Duration.ZERO, Duration.ZERO, types);
      default -> LoadPlans.of(1, types);
    };
  }

  @Test
  void aStoreThatIsNotBrokenIsCleared() throws Exception {
    LoadPlan plan = LoadPlans.of(System.nanoTime(), ResourceType.values());
    Verdict verdict = run(plan, number -> server.factory(), Duration.ofSeconds(2), found -> false);

    assertThat(verdict.violations()).as("seed %d", plan.seed()).isEmpty();
    assertThat(verdict.acquisitions()).isGreaterThan(100);
    assertThat(verdict.results()).allSatisfy(it -> assertThat(it.checked()).isPositive());
    assertThat(verdict.results()).allSatisfy(it -> assertThat(it.undecided()).isZero());
  }

  private Verdict run(
      LoadPlan plan, IntFunction<StoreFactory> stores, Duration limit, Predicate<Verdict> isEnough)
      throws InterruptedException {
    List<Load> loads = new ArrayList<>();
    List<KeeperSubject> clients = new ArrayList<>();
    try {
      for (int number = 0; number < CLIENTS; number++) {
        String process = "p" + number;
        StoreFactory store = stores.apply(number);
        KeeperSubject client =
            new KeeperSubject(
                connect(process, store),
                () -> connect(process, store),
                new FaultyCallbacks(number));
        clients.add(client);
        LoadPlan own = LoadPlans.with(plan.seed() + number, plan);
        loads.add(new Load(process, THREADS, own, client, register, recorder));
      }
      return judge(limit, isEnough);
    } finally {
      loads.forEach(Load::close);
      clients.forEach(KeeperSubject::close);
    }
  }

  private Lockkeeper connect(String process, StoreFactory store) {
    return Lockkeeper.builder()
        .clientName(process)
        .lease(LEASE)
        .listener(KeeperSubject.arrivals(process, recorder))
        .connect(store);
  }

  private Verdict judge(Duration limit, Predicate<Verdict> isEnough) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Thread.sleep(LOOK_EVERY.toMillis());
      recorder.record(Event.ofRun(System.nanoTime(), "test", EventKind.END, ""));
      Verdict verdict = HistoryChecker.check(recorder.history(), settings());
      if (isEnough.test(verdict) || System.nanoTime() - deadline > 0) {
        return verdict;
      }
    }
  }
}
