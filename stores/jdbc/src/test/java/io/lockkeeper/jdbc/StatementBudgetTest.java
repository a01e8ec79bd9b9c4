package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/** What operations cost, in transactions and statements; a batch is one. */
class StatementBudgetTest {

  /** Nobody has to say often that it is alive. */
  private static final Timings TIMINGS = new Timings(600_000, 1_000, 60_000);

  private static CountingSource sqlite() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(Databases.sqlite("budget"));
    return new CountingSource(source);
  }

  private static CountingSource h2() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(Databases.h2("budget"));
    return new CountingSource(source);
  }

  private static CountingSource postgres() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(Databases.postgres().jdbcUrl());
    return new CountingSource(source);
  }

  private static CountingSource mariaDb() throws SQLException {
    DataSource source = new MariaDbDataSource(Databases.mariaDb().jdbcUrl());
    return new CountingSource(source);
  }

  /** Drawn again and again it begins no cleaning, neither by chance nor within minutes. */
  private static final long NEVER_BY_CHANCE = (1L << 40) + (3L << 32) + 12_345;

  private static CountingSource mySql() {
    MysqlDataSource source = new MysqlDataSource();
    source.setUrl(Databases.mySqlUrl());
    return new CountingSource(source);
  }

  private static StoreProbe open(CountingSource source) {
    JdbcStores stores = JdbcStores.from(source).withoutPush().withTimeout(Duration.ofSeconds(60));
    StoreProbe probe =
        new StoreProbe(stores, "budget-" + UUID.randomUUID(), TIMINGS, () -> NEVER_BY_CHANCE);
    probe.release(
        ResourceId.lock("r"),
        probe.claimed(ResourceId.lock("r"), 1)); // the row is there now, as it is for good
    source.forget();
    return probe;
  }

  private static void assertBudget(CountingSource source, int transactions, int statements) {
    assertThat(source.transactions).hasSizeLessThanOrEqualTo(transactions);
    assertThat(source.statements).hasSizeLessThanOrEqualTo(statements);
    source.forget();
  }

  @Test
  void aLockAndItsUnlockAreTwoTransactionsOfOneStatementOnPostgreSql() {
    lockAndUnlockAlone(postgres(), 2);
  }

  @Test
  void aLockAndItsUnlockAreTwoTransactionsOfOneStatementOnSqlite() {
    lockAndUnlockAlone(sqlite(), 2);
  }

  @Test
  void aLockAndItsUnlockAreTwoTransactionsOnH2() {
    lockAndUnlockAlone(h2(), 3);
  }

  @Test
  void aLockAndItsUnlockAreTwoTransactionsOfOneStatementOnMariaDb() throws SQLException {
    lockAndUnlockAlone(mariaDb(), 2);
  }

  @Test
  @Tag("full")
  void aLockAndItsUnlockAreTwoTransactionsOfOneStatementOnMySql() {
    lockAndUnlockAlone(mySql(), 2);
  }

  private static void lockAndUnlockAlone(CountingSource source, int statements) {
    try (StoreProbe probe = open(source)) {
      for (long claim = 2; claim < 10; claim++) {
        Grant grant = probe.claimed(ResourceId.lock("r"), claim);
        probe.release(ResourceId.lock("r"), grant);
        assertThat(source.transactions).hasSize(2);
        assertBudget(source, 2, statements);
      }
    }
  }

  @Test
  void aReleaseThatRestsIsOneStatement() {
    CountingSource source = postgres();
    ResourceId lock = ResourceId.lock("r");
    try (StoreProbe probe = open(source)) {
      Grant grant = probe.claimed(lock, 2);
      source.forget();
      ReleaseRequest request =
          new ReleaseRequest(lock, null, grant.grant(), grant.lastToken(), null, 60_000);
      assertThat(StoreProbe.answer(StoreProbe.get(probe.store.release(request))).released())
          .isTrue();
      assertBudget(source, 1, 1);
    }
  }

  @Test
  void aRenewalIsOneStatement() {
    CountingSource source = postgres();
    try (StoreProbe probe = open(source)) {
      Grant grant = probe.claimed(ResourceId.lock("r"), 2);
      source.forget();
      probe.renew(ResourceId.lock("r"), grant);
      assertBudget(source, 1, 1);
    }
  }

  @Test
  void aHandOverCostsTheSameWithTenAndAThousandWaitingClaimsOnPostgreSql() {
    // The first is the statement that would do if nobody waited; then the row, the head of the
    // queue, and what became of it. With more claims than are read at once it is also asked whether
    // others wait behind them, before which the admitted claims are taken out.
    handOver(postgres(), 4);
  }

  @Test
  void aHandOverCostsTheSameWithTenAndAThousandWaitingClaimsOnSqlite() {
    handOver(sqlite(), 5);
  }

  @Test
  void aHandOverCostsTheSameWithTenAndAThousandWaitingClaimsOnMariaDb() throws SQLException {
    handOver(mariaDb(), 6); // with the isolation level of the transaction
  }

  @Test
  void aHandOverCostsTheSameWithTenAndAThousandWaitingClaimsOnMySql() {
    handOver(mySql(), 6); // with the isolation level of the transaction
  }

  private static void handOver(CountingSource source, int statements) {
    try (StoreProbe holder = open(source);
        StoreProbe waiter = open(source)) {
      for (int size : new int[] {10, 1_000}) {
        ResourceId resource = ResourceId.lock(size + " wait");
        Grant grant = holder.claimed(resource, 1);
        queue(waiter, resource, size);
        source.forget();

        holder.release(resource, grant);
        assertBudget(source, 2, statements);
        StoreProbe.answer(StoreProbe.force(waiter.store, resource));
      }
    }
  }

  @Test
  void aClientThatLetsAnotherInAndQueuesAgainSendsTwiceOnPostgreSql() {
    handOverAndQueue(postgres(), 2);
  }

  @Test
  void aClientThatLetsAnotherInAndQueuesAgainSendsTwiceOnMariaDb() throws SQLException {
    DataSource source =
        new MariaDbDataSource(Databases.mariaDb().jdbcUrl() + "&allowMultiQueries=true");
    handOverAndQueue(new CountingSource(source), 2);
  }

  private static void handOverAndQueue(CountingSource source, int statements) {
    ResourceId lock = ResourceId.lock("r");
    try (StoreProbe one = openWithUrl(source);
        StoreProbe other = openWithUrl(source)) {
      Grant grant = one.claimed(lock, 10);
      other.queued(lock, 11);
      releaseAndQueue(one, lock, grant, 12);
      releaseAndQueue(other, lock, granted(other, lock, 11), 13);
      grant = granted(one, lock, 12);
      source.forget();

      releaseAndQueue(one, lock, grant, 14); // now both have said that they are there

      assertThat(source.statements).hasSizeLessThanOrEqualTo(statements);
      source.forget();
      // It knows that another holds the lock, and does not try the statement that would do alone.
      one.queued(lock, 15);
      assertThat(source.statements).hasSizeLessThanOrEqualTo(2);
    }
  }

  private static void releaseAndQueue(
      StoreProbe probe, ResourceId lock, Grant grant, long nextClaim) {
    ReleaseRequest request =
        new ReleaseRequest(
            lock, null, grant.grant(), grant.lastToken(), StoreProbe.request(lock, nextClaim), 0);
    assertThat(StoreProbe.answer(StoreProbe.get(probe.store.release(request))).requeued())
        .isNotNull();
  }

  private static Grant granted(StoreProbe probe, ResourceId lock, long claim) {
    return ((PollAnswer.Granted) probe.poll(lock, claim)).grant();
  }

  /** Opens a store that has connections of its own, as for a URL. */
  private static StoreProbe openWithUrl(CountingSource source) {
    Settings settings = Settings.DEFAULT.withTimeout(Duration.ofSeconds(60)).withPush(false);
    StoreProbe probe =
        new StoreProbe(
            context ->
                new SqlOpener(settings, context, "", source::getConnection, true, text -> text)
                    .own(),
            "budget-" + source.hashCode(),
            TIMINGS,
            () -> NEVER_BY_CHANCE);
    probe.release(ResourceId.lock("r"), probe.claimed(ResourceId.lock("r"), 1));
    return probe;
  }

  private static void queue(StoreProbe waiter, ResourceId resource, long size) {
    var claims =
        LongStream.range(2, 2 + size)
            .mapToObj(claim -> waiter.store.claim(StoreProbe.request(resource, claim)))
            .toList();
    claims.forEach(claim -> StoreProbe.answer(StoreProbe.get(claim)));
  }

  @Test
  void claimsThatGatherShareTheirStatements() {
    CountingSource source = postgres();
    try (StoreProbe holder = open(source);
        StoreProbe waiter = open(source)) {
      Grant grant = holder.claimed(ResourceId.lock("gather"), 1);
      source.forget();
      queue(waiter, ResourceId.lock("gather"), 1_000);
      assertBudget(source, 250, 1_000);
      holder.release(ResourceId.lock("gather"), grant);
    }
  }

  @Test
  void aPermitAndItsReleaseAreTwoTransactions() {
    permitAlone(postgres(), 5);
    permitAlone(sqlite(), 7);
    permitAlone(h2(), 7);
  }

  /** It refuses statements that go to the server at once, where their columns are not as many. */
  @Test
  void aDriverThatForcesBinaryResultsHasNoStatementRefused() {
    PGSimpleDataSource forcing = new PGSimpleDataSource();
    forcing.setUrl(Databases.postgres().jdbcUrl());
    forcing.setPrepareThreshold(-1);
    CountingSource source = new CountingSource(forcing);
    Share share = new Share(1, 3, false);
    ResourceId resource = new ResourceId(ResourceKind.SEMAPHORE, "binary");
    try (StoreProbe probe = open(source)) {
      for (long claim = 2; claim < 20; claim++) {
        probe.release(resource, probe.claimed(resource, claim, share));
      }

      assertThat(source.transactions).contains("commit").doesNotContain("rollback");
    }
  }

  private static void permitAlone(CountingSource source, int statements) {
    Share share = new Share(1, 3, false);
    ResourceId resource = new ResourceId(ResourceKind.SEMAPHORE, "permit");
    try (StoreProbe probe = open(source)) {
      probe.release(resource, probe.claimed(resource, 1, share));
      source.forget();
      probe.release(resource, probe.claimed(resource, 2, share));
      assertBudget(source, 2, statements);
    }
  }

  @Test
  void aChangeOfACounterIsOneTransaction() {
    for (CountingSource source : List.of(postgres(), sqlite(), h2())) {
      try (StoreProbe probe = open(source)) {
        CellId cell = new CellId(CellKind.COUNTER, "count");
        count(probe, cell, 1);
        source.forget();
        count(probe, cell, 2);
        assertBudget(source, 1, 5);
      }
    }
  }

  private static void count(StoreProbe probe, CellId cell, long batch) {
    CellUpdate update =
        new CellUpdate(cell, batch, List.of(new CellChange.Add(1, null, true)), 60_000);
    StoreProbe.answer(StoreProbe.get(probe.store.update(update)));
  }

  @Test
  void manyLooksAreOneStatementThatChangesNothing() {
    CountingSource source = postgres();
    try (StoreProbe holder = open(source);
        StoreProbe waiter = open(source)) {
      List<String> names = LongStream.range(0, 100).mapToObj(i -> "many" + i).toList();
      for (StoreProbe each : List.of(holder, waiter)) {
        names.stream()
            .map(name -> each.store.claim(StoreProbe.request(ResourceId.lock(name), 1)))
            .toList()
            .forEach(claim -> StoreProbe.answer(StoreProbe.get(claim)));
      }
      List<PollRequest> polls =
          names.stream().map(name -> new PollRequest(ResourceId.lock(name), 1)).toList();
      source.forget();
      StoreProbe.get(waiter.store.poll(polls));
      assertBudget(source, 1, 1);
    }
  }
}
