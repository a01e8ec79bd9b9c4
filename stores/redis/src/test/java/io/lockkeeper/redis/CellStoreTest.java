package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.memory.MemoryServer;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Rounds;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts for cells: beside the memory store, on a cluster, and where they must refuse. */
class CellStoreTest {

  private static final CellId CELL = new CellId(CellKind.COUNTER, "r");
  private static final long MINUTE_MILLIS = 60_000;
  private static final int CELLS = 150;
  private static final int STEPS = Rounds.of(10_000);

  static List<RedisBinary> binaries() {
    return Binaries.allAndValkey();
  }

  private static CellChange add(long delta) {
    return new CellChange.Add(delta, null, true);
  }

  private static CellUpdate update(CellId cell, long batch, CellChange... changes) {
    return new CellUpdate(cell, batch, List.of(changes), MINUTE_MILLIS);
  }

  // ------------------------------------------------------------- the same as the memory store

  @ParameterizedTest
  @MethodSource("binaries")
  void answersAsTheMemoryStoreDoes(RedisBinary binary) {
    long seed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Timings timings = new Timings(600_000, 600_000, 600_000);
    try (RedisServer server = RedisServer.builder().binary(binary).start();
        StoreProbe redis =
            new StoreProbe(new RedisStoreProvider().factory(server.url()), "t", timings);
        StoreProbe memory =
            new StoreProbe(new MemoryServer(System::nanoTime).factory(), "t", timings)) {
      new Comparison(new Random(seed), redis.store, memory.store, seed).run();
    }
  }

  /** Random updates of a few cells; versions are compared by their order only. */
  private static final class Comparison {

    private final Random random;
    private final Store redis;
    private final Store memory;
    private final long seed;
    private final Map<Long, Long> memoryVersions = new HashMap<>();
    private final Map<CellId, Long> lastVersions = new HashMap<>();
    private long batch;

    Comparison(Random random, Store redis, Store memory, long seed) {
      this.random = random;
      this.redis = redis;
      this.memory = memory;
      this.seed = seed;
      memoryVersions.put(0L, 0L);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        CellId cell = new CellId(CellKind.VALUE, "c" + random.nextInt(3));
        List<CellChange> changes = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
          changes.add(change(lastVersions.getOrDefault(cell, 0L)));
        }
        batch += random.nextInt(8) > 0 ? 1 : 0; // or the same once more, whatever it says
        compareUpdate(new CellUpdate(cell, Math.max(1, batch), changes, MINUTE_MILLIS));
        compareRead(new CellRead(cell, random.nextBoolean(), 0));
      }
    }

    private CellChange change(long version) {
      return switch (random.nextInt(9)) {
        case 0 -> new CellChange.Create(value(), 0);
        case 1 -> new CellChange.Put(value(), 0);
        case 2 -> new CellChange.Replace(random.nextInt(4) > 0 ? version : 7, value(), 0);
        case 3 -> new CellChange.ReplaceNumber(random.nextInt(4), number());
        case 4 -> new CellChange.Raise(number());
        case 5 -> new CellChange.Delete();
        case 6 -> new CellChange.Add(number(), number() / 2, random.nextBoolean());
        default -> new CellChange.Add(number(), null, random.nextBoolean());
      };
    }

    private CellValue value() {
      byte[] bytes = new byte[random.nextInt(5)];
      random.nextBytes(bytes);
      return random.nextInt(3) == 0 ? CellValue.of(bytes) : CellValue.of(number());
    }

    private long number() {
      return switch (random.nextInt(4)) {
        case 0 -> random.nextLong();
        case 1 -> (1L << 53) + random.nextInt(5) - 2;
        case 2 -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
        default -> random.nextInt(7) - 3;
      };
    }

    private void compareUpdate(CellUpdate update) {
      CellUpdated actual = StoreProbe.answer(StoreProbe.get(redis.update(update)));
      CellUpdated expected = StoreProbe.answer(StoreProbe.get(memory.update(inMemory(update))));
      for (int i = 0; i < expected.results().size(); i++) {
        var mine = actual.results().get(i);
        var other = expected.results().get(i);
        assertThat(List.of(mine.verdict(), mine.before(), mine.number()))
            .as("change %d of %s, seed %d", i, update, seed)
            .isEqualTo(List.of(other.verdict(), other.before(), other.number()));
        assertThat(mine.version() == 0).isEqualTo(other.version() == 0);
        Long known = memoryVersions.put(mine.version(), other.version());
        assertThat(known == null || known == other.version())
            .as("change %d of %s leaves the version, seed %d", i, update, seed)
            .isTrue();
        lastVersions.put(update.cell(), mine.version());
      }
    }

    /** Returns the update with the versions that the memory store knows. */
    private CellUpdate inMemory(CellUpdate update) {
      List<CellChange> changes = new ArrayList<>();
      for (CellChange change : update.changes()) {
        changes.add(
            change instanceof CellChange.Replace replace
                ? new CellChange.Replace(
                    memoryVersions.getOrDefault(replace.version(), 7L), replace.value(), 0)
                : change);
      }
      return new CellUpdate(update.cell(), update.batch(), changes, MINUTE_MILLIS);
    }

    private void compareRead(CellRead read) {
      CellState actual = StoreProbe.answer(StoreProbe.get(redis.read(List.of(read))).get(0));
      CellState expected = StoreProbe.answer(StoreProbe.get(memory.read(List.of(read))).get(0));
      assertThat(actual.getClass()).isEqualTo(expected.getClass());
      if (actual instanceof CellState.Present mine && expected instanceof CellState.Present other) {
        assertThat(mine.value()).isEqualTo(other.value());
        assertThat(memoryVersions.get(mine.version())).isEqualTo(other.version());
        assertThat(memoryVersions.get(mine.born())).isEqualTo(other.born());
      }
    }
  }

  // ------------------------------------------------------------- clusters and replicas

  /**
   * Waits until all changes have been notified of. Nodes lose what is on its way between them when
   * their link is made anew, as those of Valkey 8.0 do when they have only just met. Who is
   * notified no longer watches, so cells whose notification was lost are watched again and changed
   * again.
   */
  private static void awaitNotifications(
      StoreProbe writer, StoreProbe watcher, List<CellRead> reads) {
    Set<String> missing = new HashSet<>();
    reads.forEach(read -> missing.add("changed COUNTER " + read.cell().name()));
    for (int batch = 2; !missing.isEmpty(); batch++) {
      if (batch == 5) {
        fail("still missing: %s", missing);
      }
      String heard = watcher.notification();
      while (heard != null) {
        assertThat(heard).startsWith("changed COUNTER c");
        missing.remove(heard);
        heard = missing.isEmpty() ? null : watcher.notification();
      }
      List<CellRead> again =
          reads.stream()
              .filter(read -> missing.contains("changed COUNTER " + read.cell().name()))
              .toList();
      if (!again.isEmpty()) {
        StoreProbe.get(watcher.store.read(again));
      }
      for (CellRead read : again) {
        StoreProbe.get(writer.store.update(update(read.cell(), batch, add(1))));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void cellsOfAllSlotsAreServedAndNotificationsPassBetweenNodes(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary);
        StoreProbe writer = Probes.open(cluster.url());
        StoreProbe watcher = Probes.open(cluster.url())) {
      List<CellRead> reads = new ArrayList<>();
      for (int i = 0; i < CELLS; i++) {
        reads.add(new CellRead(new CellId(CellKind.COUNTER, "c" + i), true, 0));
      }
      assertThat(StoreProbe.get(watcher.store.read(reads)))
          .hasSize(CELLS)
          .containsOnly(Outcome.answered(new CellState.Absent()));
      cluster.masters().forEach(master -> master.command("SCRIPT", "FLUSH"));
      List<CompletionStage<Outcome<CellUpdated>>> updates = new ArrayList<>();
      for (CellRead read : reads) {
        updates.add(writer.store.update(update(read.cell(), 1, add(5))));
      }
      for (int i = 0; i < CELLS; i++) {
        assertThat(StoreProbe.answer(StoreProbe.get(updates.get(i))).results().get(0).number())
            .isEqualTo(5);
      }
      assertThat(StoreProbe.get(writer.store.read(reads)))
          .allMatch(
              outcome ->
                  StoreProbe.answer(outcome) instanceof CellState.Present present
                      && present.value().equals(CellValue.of(5)));
      awaitNotifications(writer, watcher, reads);
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void anUpdateThatTooFewReplicasHaveIsInDoubtAndMayBeRepeated(RedisBinary binary) {
    try (RedisServer master = RedisServer.builder().binary(binary).start();
        RedisServer replica = RedisServer.builder().binary(binary).replicaOf(master).start();
        StoreProbe client =
            Probes.open(master.url() + "?replicas=1&replicaTimeout=500ms&timeout=10s")) {
      Awaitility.await().atMost(Delays.patience()).until(() -> master.isFollowedBy(replica));
      awaitAnswered(client, update(CELL, 1, add(1)));

      replica.freeze();
      assertThat(StoreProbe.get(client.store.update(update(CELL, 2, add(1)))))
          .isInstanceOf(Outcome.Unknown.class);
      assertThat(StoreProbe.get(client.store.update(update(CELL, 2, add(1)))))
          .isInstanceOf(Outcome.Unknown.class);
      replica.thaw();

      awaitAnswered(client, update(CELL, 2, add(1)));
      assertThat(
              StoreProbe.answer(StoreProbe.get(client.store.update(update(CELL, 3, add(1)))))
                  .results()
                  .get(0)
                  .number())
          .isEqualTo(3);
    }
  }

  private static void awaitAnswered(StoreProbe client, CellUpdate update) {
    Awaitility.await()
        .atMost(Delays.patience())
        .until(() -> StoreProbe.get(client.store.update(update)) instanceof Outcome.Answered<?>);
  }

  // ------------------------------------------------------------- refusals

  @ParameterizedTest
  @MethodSource("binaries")
  void whatOthersWroteIsRefusedAndNotTouched(RedisBinary binary) {
    RedisServer server = SharedServers.running(binary);
    for (List<String> write :
        List.of(
            List.of("SET", "foreign:{r}:ctr", "5"),
            List.of("HSET", "foreign:{r}:ctr", "another", "hash"),
            List.of("HSET", "foreign:{r}:ctr", "v", "2", "c", "5"),
            List.of("SET", "foreign:{r}:ctr:w", "no set"))) {
      server.command("DEL", "foreign:{r}:ctr", "foreign:{r}:ctr:w");
      server.command(write.toArray(String[]::new));
      Object before = server.command("DUMP", write.get(1));
      try (StoreProbe client = Probes.open(server.url(), "foreign")) {
        CellId sound = new CellId(CellKind.COUNTER, "sound");

        assertRefused(
            StoreProbe.get(client.store.update(update(CELL, 1, add(1)))),
            StoreProblem.FOREIGN_RECORD);
        List<Outcome<CellState>> found =
            StoreProbe.get(
                client.store.read(
                    List.of(new CellRead(CELL, true, 0), new CellRead(sound, false, 0))));
        if (!write.get(1).endsWith("w")) {
          assertRefused(found.get(0), StoreProblem.FOREIGN_RECORD);
        }
        assertThat(found.get(1)).isEqualTo(Outcome.answered(new CellState.Absent()));
        assertThat(server.command("DUMP", write.get(1))).isEqualTo(before);
      }
    }
    server.command("DEL", "foreign:{r}:ctr", "foreign:{r}:ctr:w");
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aFullMemoryRefusesChangesWholeAndAllowsDeletionAndReading(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).start();
        StoreProbe client = Probes.open(server.url())) {
      StoreProbe.answer(StoreProbe.get(client.store.update(update(CELL, 1, add(1)))));
      server.command("CONFIG", "SET", "maxmemory", "1");

      assertRefused(
          StoreProbe.get(client.store.update(update(CELL, 2, add(1)))), StoreProblem.FULL);
      assertRefused(
          StoreProbe.get(
              client.store.update(update(CELL, 3, new CellChange.Put(CellValue.of(9), 0), add(1)))),
          StoreProblem.FULL);
      assertThat(number(client)).isEqualTo(CellValue.of(1));
      assertThat(StoreProbe.get(client.store.update(update(CELL, 4, new CellChange.Delete()))))
          .isInstanceOf(Outcome.Answered.class);

      server.command("CONFIG", "SET", "maxmemory", "0");
      StoreProbe.answer(StoreProbe.get(client.store.update(update(CELL, 5, add(7)))));
      assertThat(number(client)).isEqualTo(CellValue.of(7));
    }
  }

  private static CellValue number(StoreProbe client) {
    CellState state =
        StoreProbe.answer(
            StoreProbe.get(client.store.read(List.of(new CellRead(CELL, true, 0)))).get(0));
    return ((CellState.Present) state).value();
  }

  private static void assertRefused(Outcome<?> outcome, StoreProblem problem) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(((Outcome.Refused<?>) outcome).problem()).isEqualTo(problem);
  }
}
