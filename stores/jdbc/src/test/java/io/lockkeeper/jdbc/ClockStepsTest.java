package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.SqlServer;
import io.lockkeeper.servers.SqlServerBuilder;
import io.lockkeeper.servers.fault.ClockShim;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The wall clock of a server is set back or forward. */
@Tag("full")
class ClockStepsTest {

  private static final long LEASE_MILLIS = Delays.millis(1_000).toMillis();
  private static final Share ONE = new Share(1, 1, false);
  private static final Duration BACK = Duration.ofHours(-1);

  private final ClockShim clock = shim();
  private SqlServer server;
  private StoreProbe holder;
  private StoreProbe next;

  private static ClockShim shim() {
    Assumptions.assumeTrue(ClockShim.isAvailable(), "no C compiler");
    return ClockShim.create();
  }

  private void start(SqlServerBuilder<? extends SqlServer> builder) {
    server = builder.environment(clock.environment()).start();
    holder = probe();
    next = probe();
  }

  private StoreProbe probe() {
    return new StoreProbe(
        new JdbcStoreProvider().factory(server.jdbcUrl()), "steps", Timings.DEFAULT);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      holder.close();
      next.close();
      server.close();
    }
    clock.close();
  }

  private static ClaimRequest request(ResourceId resource, long claim) {
    Share share = resource.isExclusive() ? Share.EXCLUSIVE : ONE;
    return new ClaimRequest(resource, claim, LEASE_MILLIS, 1, true, share);
  }

  private static Grant claimed(StoreProbe client, ResourceId resource, long claim) {
    return StoreProbe.granted(StoreProbe.get(client.store.claim(request(resource, claim))));
  }

  private static void queued(StoreProbe client, ResourceId resource, long claim) {
    assertThat(StoreProbe.answer(StoreProbe.get(client.store.claim(request(resource, claim)))))
        .isInstanceOf(Queued.class);
  }

  private static Grant awaitGranted(StoreProbe client, ResourceId resource, long claim) {
    await()
        .pollInterval(Duration.ofMillis(50))
        .atMost(Delays.patience())
        .until(() -> client.poll(resource, claim) instanceof PollAnswer.Granted);
    return ((PollAnswer.Granted) client.poll(resource, claim)).grant();
  }

  @Test
  void aStepBackProlongsNoLeaseOnPostgreSql() {
    Databases.require(PostgresServer.binaries());
    start(PostgresServer.builder());
    aStepBackProlongsNoLease(ResourceId.lock("r"));
    aStepBackProlongsNoLease(new ResourceId(ResourceKind.SEMAPHORE, "s"));
    aStepBackProlongsNoLease(new ResourceId(ResourceKind.READ_WRITE_LOCK, "rw"));
  }

  @Test
  void aStepBackProlongsNoLeaseOnMariaDb() {
    Databases.require(MariaDbServer.binaries());
    start(MariaDbServer.builder());
    aStepBackProlongsNoLease(ResourceId.lock("r"));
    aStepBackProlongsNoLease(new ResourceId(ResourceKind.SEMAPHORE, "s"));
  }

  /** The holder renews after the step, and is then not heard of any more. */
  private void aStepBackProlongsNoLease(ResourceId resource) {
    clock.jumpTo(Duration.ZERO);
    Grant grant = claimed(holder, resource, 1);
    queued(next, resource, 2);
    clock.jumpTo(BACK);
    StoreProbe.get(
        holder.store.renew(List.of(new RenewRequest(resource, grant.grant(), LEASE_MILLIS))));

    Grant following = awaitGranted(next, resource, 2);

    assertThat(following.firstToken()).isGreaterThan(grant.lastToken());
    StoreProbe.get(next.store.withdraw(resource, 2));
  }

  @Test
  void aDeadWaiterDoesNotHoldUpOthersUntilTheStepIsMadeUp() {
    Databases.require(PostgresServer.binaries());
    start(PostgresServer.builder());
    ResourceId semaphore = new ResourceId(ResourceKind.SEMAPHORE, "two");
    holder.claimed(semaphore, 1, new Share(1, 2, false));
    StoreProbe dead = probe();
    dead.queued(semaphore, 1, new Share(2, 2, false));
    dead.close();
    clock.jumpTo(BACK);
    next.queued(semaphore, 1, new Share(1, 2, false));

    awaitGranted(next, semaphore, 1);
  }

  /** Of two changes of a row in one statement PostgreSQL makes one, and does not say which. */
  @Test
  void whoIsAdmittedAsAStepIsMadeUpHoldsWhatItWasGiven() {
    Databases.require(PostgresServer.binaries());
    start(PostgresServer.builder());
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(server.jdbcUrl());
    CountingSource source = new CountingSource(database);
    ResourceId semaphore = new ResourceId(ResourceKind.SEMAPHORE, "two");
    try (StoreProbe first =
        new StoreProbe(JdbcStores.from(source).withoutPush(), "steps", Timings.DEFAULT)) {
      Grant held = first.claimed(semaphore, 1, new Share(2, 2, false));
      next.queued(semaphore, 1, new Share(1, 2, false));
      clock.jumpTo(BACK);
      source.forget();

      first.release(semaphore, held);

      String change = "update lockkeeper_claim set end_micros";
      assertThat(source.statements).anyMatch(sql -> sql.contains(change));
      assertThat(source.statements)
          .noneMatch(sql -> sql.contains(change) && sql.contains("set granted = 1"));
    }
    Grant given = ((PollAnswer.Granted) next.poll(semaphore, 1)).grant();
    assertThat(StoreProbe.answer(next.renew(semaphore, given)).renewed()).isTrue();
  }

  /** A server that takes over from this one has to wait for it, however early its clock is. */
  @Test
  void aLeaseWithinAnEndThatAClockMovedIsKnownToTheMark() throws SQLException {
    Databases.require(PostgresServer.binaries());
    start(PostgresServer.builder());
    Grant grant = claimed(holder, ResourceId.lock("r"), 1);
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("update lockkeeper_resource set end_micros = end_micros + 3600000000");

      RenewRequest longer = new RenewRequest(ResourceId.lock("r"), grant.grant(), 3 * LEASE_MILLIS);
      var renewed = StoreProbe.get(holder.store.renew(List.of(longer))).get(0);
      assertThat(StoreProbe.answer(renewed).renewed()).isTrue();

      try (ResultSet mark = statement.executeQuery("select longest_micros from lockkeeper_mark")) {
        assertThat(mark.next()).isTrue();
        assertThat(mark.getLong(1)).isEqualTo(3 * LEASE_MILLIS * 1_000);
      }
    }
  }

  @Test
  void anUpdateIsMadeOnceThoughTheClockStepsForward() {
    Databases.require(PostgresServer.binaries());
    start(PostgresServer.builder());
    CellUpdate update =
        new CellUpdate(
            new CellId(CellKind.COUNTER, "c"),
            1,
            List.of(new CellChange.Add(1, null, true)),
            60_000);
    CellUpdated first = StoreProbe.answer(StoreProbe.get(holder.store.update(update)));
    clock.jumpTo(Duration.ofMinutes(5));

    CellUpdated again = StoreProbe.answer(StoreProbe.get(holder.store.update(update)));

    assertThat(again).isEqualTo(first);
  }
}
