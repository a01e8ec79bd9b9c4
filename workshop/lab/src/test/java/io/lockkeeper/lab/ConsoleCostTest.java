package io.lockkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.console.ConsoleOptions;
import io.lockkeeper.console.ConsoleStore;
import io.lockkeeper.console.ConsoleView;
import io.lockkeeper.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a refresh of the console's page costs the server, in processor time, reading and writing
 * included; what the server needs when nobody looks is left out.
 */
@Tag("slow")
class ConsoleCostTest {

  private static final int MANY = 10_000;
  private static final int CHANGED = 300;
  private static final int LOOKS = 7;

  /** What is promised, for a machine that takes no longer for {@link #YARDSTICK} than this. */
  private static final double MOST_MILLIS = 20;

  private static final double YARDSTICK_MILLIS = 11;

  /** Reads one field of a record as often as there are locks. */
  private static final String YARDSTICK =
      "for i = 1, %d do redis.call('HGET', 'lockkeeper:{stock:' .. i .. '}', 'o') end"
          .formatted(MANY);

  private static final long IDLE_NANOS = 1_000_000_000L;

  /** Nothing else is to be done for the locks meanwhile. */
  private static final LockOptions LONG = LockOptions.defaults().withLease(Duration.ofHours(1));

  @Test
  void aRefreshOfTenThousandResourcesCostsTheServerAtMostTwentyMilliseconds() throws Exception {
    try (RedisServer server = RedisServer.start();
        Lockkeeper keeper = Lockkeeper.connect(server.url() + "?afterLoss=grant")) {
      List<CompletableFuture<Lease>> held = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        held.add(lock(keeper, i).acquireAsync().toCompletableFuture());
      }
      CompletableFuture.allOf(held.toArray(CompletableFuture<?>[]::new)).join();
      keeper.counter("orders").incrementAndGet();
      ConsoleView view =
          new ConsoleView(
              "it",
              List.of(new ConsoleStore("it", keeper)),
              ConsoleOptions.defaults().withRefresh(Duration.ofMillis(100)));
      Map<String, ?> state = look(view, null);
      while (!Boolean.TRUE.equals(state.get("isWhole"))) { // at first it knows nothing
        state = look(view, state);
      }

      double idle = idleCpuMillisPerNano(server);
      double[] costs = new double[LOOKS];
      double[] yardsticks = new double[LOOKS];
      for (int i = 0; i < LOOKS; i++) {
        change(keeper, held, i);
        Map<String, ?> last = state;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)); // for what others have begun
        double before = cpuMillis(server);
        long begin = System.nanoTime();
        state = look(view, last);
        costs[i] = cpuMillis(server) - before - idle * (System.nanoTime() - begin);
        before = cpuMillis(server);
        server.command("EVAL", YARDSTICK, "0");
        yardsticks[i] = cpuMillis(server) - before;
        assertThat(state.get("resources")).isEqualTo(MANY);
        assertThat(state.get("isWhole")).isEqualTo(true);
      }

      Arrays.sort(costs);
      Arrays.sort(yardsticks);
      double slowness = Math.max(1, yardsticks[LOOKS / 2] / YARDSTICK_MILLIS);
      System.out.printf(
          "a refresh of %d locks, %d of them changed: median %.1f ms of the server's processor"
              + " (%.1f to %.1f); %.1f ms a second without; yardstick %.1f ms%n",
          MANY,
          CHANGED,
          costs[LOOKS / 2],
          costs[0],
          costs[LOOKS - 1],
          idle * 1e9,
          yardsticks[LOOKS / 2]);
      assertThat(costs[LOOKS / 2]).isLessThan(MOST_MILLIS * slowness);
    }
  }

  private static DistributedLock lock(Lockkeeper keeper, int i) {
    return keeper.lock("stock:" + i, LONG);
  }

  /** Replaces some grants by others. */
  private static void change(Lockkeeper keeper, List<CompletableFuture<Lease>> held, int round) {
    List<CompletableFuture<?>> changes = new ArrayList<>();
    for (int i = 0; i < CHANGED; i++) {
      int which = (round * CHANGED + i) % MANY;
      held.get(which).join().release();
      CompletableFuture<Lease> next = lock(keeper, which).acquireAsync().toCompletableFuture();
      held.set(which, next);
      changes.add(next);
    }
    CompletableFuture.allOf(changes.toArray(CompletableFuture<?>[]::new)).join();
  }

  /** Waits for the next look at the store. */
  private static Map<String, ?> look(ConsoleView view, @Nullable Map<String, ?> last) {
    Map<String, ?> state = view.state(0);
    while (state == last) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      state = view.state(0);
    }
    return state;
  }

  private static double idleCpuMillisPerNano(RedisServer server) {
    double before = cpuMillis(server);
    long begin = System.nanoTime();
    LockSupport.parkNanos(IDLE_NANOS);
    return (cpuMillis(server) - before) / (System.nanoTime() - begin);
  }

  private static double cpuMillis(RedisServer server) {
    Map<String, String> cpu = server.info("cpu");
    double seconds =
        Double.parseDouble(cpu.getOrDefault("used_cpu_user", "0"))
            + Double.parseDouble(cpu.getOrDefault("used_cpu_sys", "0"));
    return seconds * 1_000;
  }
}
