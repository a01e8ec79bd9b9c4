package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.jdbc.SchemaTest.Database;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.StoreCleaner.Deleted;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left of names that nobody uses any more, and how it goes. */
@Tag("full")
class CleaningTest {

  /** Dead after a moment, so that nobody has to wait for it. */
  private static final Timings SHORT = new Timings(1, 1, 1);

  private static final long LEASE_MILLIS = 60_000;
  private static final int NAMES = 100_000;
  private static final long TWO_DAYS = 2 * 86_400_000_000L;

  private static long ask(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  private static long rows(String url, String table) throws SQLException {
    return ask(url, "select count(*) from " + table);
  }

  private static void run(String url, String... all) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : all) {
        statement.execute(sql);
      }
    }
  }

  /** Has all that there is be from two days ago, and over since. */
  private static void age(String url) throws SQLException {
    run(
        url,
        "update lockkeeper_resource set last_token = last_token - "
            + TWO_DAYS
            + ", last_arrival ="
            + " last_arrival - "
            + TWO_DAYS
            + ", since_micros = since_micros - "
            + TWO_DAYS
            + ", end_micros = end_micros - "
            + TWO_DAYS,
        "update lockkeeper_claim set end_micros = end_micros - " + TWO_DAYS,
        "update lockkeeper_cell set version = version - " + TWO_DAYS,
        "update lockkeeper_cell_client set known_end_micros = known_end_micros - "
            + TWO_DAYS
            + ", watch_end_micros = watch_end_micros - "
            + TWO_DAYS);
  }

  private static String clean(String url, Duration age, boolean isTrial) {
    return clean(url, age, isTrial, looked -> {});
  }

  private static String clean(String url, Duration age, boolean isTrial, LongConsumer progress) {
    StoreContext context =
        new StoreContext(
            UUID.randomUUID().toString().replace("-", ""),
            "test",
            "clean",
            Timings.DEFAULT,
            new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
    return new JdbcStoreProvider()
        .cleaner(url).orElseThrow().clean(context, age, isTrial, progress).stream()
            .filter(each -> each.count() > 0)
            .sorted(Comparator.comparing(Deleted::what))
            .map(each -> each.count() + " " + each.what())
            .collect(Collectors.joining(", "));
  }

  private static long connectionsOf(String application, String url) {
    try {
      return ask(
          url,
          "select count(*) from pg_stat_activity where application_name = '" + application + "'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a client that does not clean by chance, so that what is to be cleaned can be told. */
  private static StoreProbe probe(String url, Timings timings) {
    Random random =
        new Random(1) {
          private static final long serialVersionUID = 1L;

          @Override
          public int nextInt(int bound) {
            return bound == 1 ? 0 : 1 + super.nextInt(bound - 1);
          }
        };
    return new StoreProbe(new JdbcStoreProvider().factory(url), "clean", timings, random);
  }

  private static ClaimRequest claim(ResourceId resource, long number, long leaseMillis) {
    return new ClaimRequest(resource, number, leaseMillis, 1, true);
  }

  private static CellUpdate count(String name, long batch) {
    return new CellUpdate(
        new CellId(CellKind.COUNTER, name), batch, List.of(new CellChange.Add(1, null, true)), 1);
  }

  @Test
  void whoCleansHasNoSecondConnectionToListenOn() {
    String postgres = Databases.postgres().jdbcUrl();
    String name = "cleaner-" + System.nanoTime();
    List<Long> connections = new ArrayList<>();

    clean(
        postgres + "&ApplicationName=" + name,
        Duration.ofDays(1),
        true,
        looked -> connections.add(connectionsOf(name, postgres)));

    assertThat(connections).isNotEmpty().containsOnly(1L);
  }

  @ParameterizedTest
  @EnumSource
  void whatNobodyUsesGoesAndWhatIsUsedOrSetStays(Database database) throws Exception {
    String url = database.empty("cleaned");
    ResourceId semaphore = new ResourceId(ResourceKind.SEMAPHORE, "limited");
    ResourceId pool = new ResourceId(ResourceKind.SEMAPHORE, "pool");
    try (StoreProbe living = probe(url, Timings.DEFAULT);
        StoreProbe crashed = probe(url, SHORT)) {
      crashed.release(ResourceId.lock("left"), crashed.claimed(ResourceId.lock("left"), 1));
      StoreProbe.answer(
          StoreProbe.get(crashed.store.claim(claim(ResourceId.lock("held by the dead"), 2, 1))));
      crashed.claimed(ResourceId.lock("waited for by the dead"), 3);
      StoreProbe.answer(
          StoreProbe.get(
              crashed.store.claim(
                  claim(ResourceId.lock("waited for by the dead"), 4, LEASE_MILLIS))));
      crashed.claimed(pool, 5, new Share(1, 2, false));
      ResizeRequest toThree =
          new ResizeRequest(semaphore, 7, ResizeRequest.Kind.SET, 3, 2, LEASE_MILLIS);
      StoreProbe.answer(StoreProbe.get(crashed.store.resize(toThree)));
      crashed.claimed(semaphore, 6, new Share(1, 2, false));
      StoreProbe.answer(StoreProbe.get(crashed.store.update(count("left", 1))));
      StoreProbe.answer(
          StoreProbe.get(
              crashed.store.update(
                  new CellUpdate(
                      new CellId(CellKind.COUNTER, "left"),
                      2,
                      List.of(new CellChange.Delete()),
                      1))));
      StoreProbe.answer(StoreProbe.get(crashed.store.update(count("kept", 3))));
      age(url);

      Grant held = living.claimed(ResourceId.lock("held"), 1);
      Grant shared =
          living.claimed(
              new ResourceId(ResourceKind.SEMAPHORE, "shared"), 2, new Share(1, 1, false));
      living.queued(ResourceId.lock("held"), 3);
      living.release(ResourceId.lock("young"), living.claimed(ResourceId.lock("young"), 4));
      Grant heldForDays = living.claimed(ResourceId.lock("held for days"), 5);
      ResourceId greedy = new ResourceId(ResourceKind.SEMAPHORE, "waited for for days");
      living.queued(greedy, 6, new Share(2, 1, false));
      run(
          url,
          "update lockkeeper_resource set last_token = last_token - "
              + TWO_DAYS
              + ", last_arrival = last_arrival - "
              + TWO_DAYS
              + " where name in ('held for days', 'waited for for days')");

      String wanted = clean(url, Duration.ofDays(1), true);
      assertThat(wanted).isEqualTo("4 claims, 2 memories of clients, 4 names, 1 values");
      assertThat(clean(url, Duration.ofDays(1), false)).isEqualTo(wanted);
      assertThat(clean(url, Duration.ofDays(1), false)).isEmpty();

      // held, held for days, shared, waited for for days, young, limited
      assertThat(rows(url, "lockkeeper_resource")).isEqualTo(6);
      assertThat(rows(url, "lockkeeper_claim")).isEqualTo(3);
      assertThat(
              ask(
                  url,
                  "select grants + permits_out + waiting from lockkeeper_resource"
                      + " where resized = 1"))
          .isZero();
      assertThat(rows(url, "lockkeeper_cell")).isEqualTo(1);
      assertThat(rows(url, "lockkeeper_cell_client")).isZero();
      assertThat(living.renew(ResourceId.lock("held"), held)).satisfies(StoreProbe::answer);
      assertThat(living.release(ResourceId.lock("held"), held).released()).isTrue();
      assertThat(
              living.release(new ResourceId(ResourceKind.SEMAPHORE, "shared"), shared).released())
          .isTrue();
      assertThat(living.release(ResourceId.lock("held for days"), heldForDays).released()).isTrue();
      assertThat(living.poll(greedy, 6)).isInstanceOf(Queued.class);
      assertThat(StoreProbe.answer(StoreProbe.get(living.store.inspect(semaphore))).limit())
          .hasValue(3);
      CellUpdated counted =
          StoreProbe.answer(StoreProbe.get(living.store.update(count("kept", 5))));
      assertThat(counted.results().get(0).number()).isEqualTo(2);
    }
  }

  /** What a clock that was set back by years comes to: the last tokens are of the future. */
  @ParameterizedTest
  @EnumSource
  void tokensGrowOverCleaningThoughTheClockIsSetBack(Database database) throws Exception {
    String url = database.empty("backwards");
    long later = 9_000_000_000_000_000L;
    try (StoreProbe probe = probe(url, Timings.DEFAULT)) {
      probe.release(ResourceId.lock("a"), probe.claimed(ResourceId.lock("a"), 1));
      StoreProbe.answer(StoreProbe.get(probe.store.update(count("a", 1))));
      StoreProbe.answer(
          StoreProbe.get(
              probe.store.update(
                  new CellUpdate(
                      new CellId(CellKind.COUNTER, "a"), 2, List.of(new CellChange.Delete()), 1))));
      age(url);
      assertThat(clean(url, Duration.ofDays(1), false)).contains("1 names", "1 values");
      assertThat(rows(url, "lockkeeper_resource")).isZero();
      assertThat(ask(url, "select token_floor from lockkeeper_state")).isPositive();
      assertThat(ask(url, "select version_floor from lockkeeper_state")).isPositive();

      run(url, "update lockkeeper_state set token_floor = " + later + ", version_floor = " + later);

      assertThat(probe.claimed(ResourceId.lock("a"), 3).firstToken()).isEqualTo(later + 1);
      assertThat(probe.claimed(ResourceId.lock("b"), 4).firstToken()).isEqualTo(later + 1);
      ResourceId semaphore = new ResourceId(ResourceKind.SEMAPHORE, "a");
      assertThat(probe.claimed(semaphore, 5, new Share(1, 1, false)).firstToken())
          .isEqualTo(later + 1);
      CellUpdated counted = StoreProbe.answer(StoreProbe.get(probe.store.update(count("a", 6))));
      assertThat(counted.results().get(0).version()).isEqualTo(later + 1);
    }
  }

  /** Crashed holders and waiters among them. */
  @ParameterizedTest
  @EnumSource
  void ofAHundredThousandNamesNothingIsLeft(Database database) throws Exception {
    String url = database.empty("many");
    try (StoreProbe probe = probe(url, SHORT)) {
      // one name after the other: so many at once would wait for each other up to their time limit
      for (int i = 0; i < 300; i++) {
        ResourceId name = ResourceId.lock("crashed" + i);
        List<CompletionStage<? extends Outcome<?>>> all =
            List.of(
                probe.store.claim(claim(name, 3L * i, 1)),
                probe.store.claim(claim(name, 3L * i + 1, LEASE_MILLIS)),
                probe.store.update(count("crashed" + i, 3L * i + 2)));
        all.forEach(each -> assertThat(StoreProbe.get(each)).isInstanceOf(Outcome.Answered.class));
      }
    }
    fill(url);
    age(url);

    clean(url, Duration.ofDays(1), false);

    assertThat(rows(url, "lockkeeper_resource")).isZero();
    assertThat(rows(url, "lockkeeper_claim")).isZero();
    assertThat(rows(url, "lockkeeper_cell_client")).isZero();
    assertThat(rows(url, "lockkeeper_cell")).isEqualTo(300); // they have a value
  }

  /**
   * Rows as a used name leaves them; by hand, because a hundred thousand acquisitions take long.
   */
  private static void fill(String url) throws SQLException {
    long now = System.nanoTime() / 1_000_000 + 1_700_000_000_000_000L;
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into lockkeeper_resource (namespace, kind, name, last_token, end_micros)"
                    + " values ('clean', 'lock', ?, ?, ?)")) {
      connection.setAutoCommit(false);
      for (int i = 0; i < NAMES; i++) {
        insert.setString(1, "order-" + i);
        insert.setLong(2, now);
        insert.setLong(3, now);
        insert.addBatch();
        if (i % 1_000 == 999) {
          insert.executeBatch();
        }
      }
      connection.commit();
    }
  }

  /** Without anybody doing anything: clients clean while they are at work. */
  @ParameterizedTest
  @EnumSource
  void clientsThatMakeNewNamesClearAwayOldOnes(Database database) throws Exception {
    String url = database.empty("alone");
    AtomicInteger made = new AtomicInteger();
    try (Lockkeeper keeper = Lockkeeper.builder().namespace("clean").connect(url)) {
      await()
          .atMost(Delays.limit(60_000))
          .until(
              () -> {
                for (int i = 0; i < 100; i++) {
                  keeper.lock("order-" + made.incrementAndGet()).acquire().release();
                }
                age(url);
                return rows(url, "lockkeeper_resource") < made.get() / 2;
              });
    }
  }
}
