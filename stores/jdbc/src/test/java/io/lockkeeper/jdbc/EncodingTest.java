package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases, and connections, whose character set lacks some characters. */
@Tag("full")
class EncodingTest {

  private static final String ORDER = "订单:1";
  private static final String BROKEN_HEART = "💔";

  private static String database(String encoding) throws SQLException {
    String url = Databases.postgres().jdbcUrl();
    String name = "text_" + encoding.toLowerCase(Locale.ROOT);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("drop database if exists " + name);
      statement.execute(
          "create database %s encoding '%s' lc_collate 'C' lc_ctype 'C' template template0"
              .formatted(name, encoding));
    }
    return url.replaceFirst("(//[^/]+/)\\w*", "$1" + name);
  }

  private static <T> T inThread(String name, Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    new Thread(task, name).start();
    return task.get();
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATIN1", "EUC_JP"})
  void aThreadOrClientWhoseNameTheDatabaseLacksLocksAllTheSame(String encoding) throws Exception {
    String url = database(encoding);
    String name = BROKEN_HEART + "-1";
    try (Lockkeeper keeper = Lockkeeper.builder().clientName(name).connect(url);
        Lockkeeper other = Lockkeeper.connect(url)) {
      Lease lease =
          inThread(name, () -> keeper.lock("a").acquireAsync().toCompletableFuture().get());
      assertThat(other.lock("a").isLocked()).isTrue();
      assertThat(other.admin().inspect(ResourceKind.LOCK, "a").holders().get(0).toString())
          .contains("?-1");
      lease.release();
      inThread(name, () -> keeper.semaphore("s", 2).acquire()).close();
      inThread(name, () -> keeper.readWriteLock("rw").writeLock().tryLock());
      assertThat(keeper.counter("c").incrementAndGet()).isEqualTo(1);
      keeper.sharedValue("v").set(ORDER);
      assertThat(other.sharedValue("v").get().orElseThrow().text()).isEqualTo(ORDER);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATIN1", "EUC_JP"})
  void aNameThatTheDatabaseLacksIsRefusedWithTheEncoding(String encoding) throws Exception {
    String url = database(encoding);
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> keeper.lock(BROKEN_HEART).lock())
          .withMessageContaining(encoding)
          .withMessageContaining("UTF8");
      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> keeper.lock(BROKEN_HEART).tryLock(Delays.patience()))
          .withMessageContaining(encoding);
      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> keeper.semaphore(BROKEN_HEART, 1).acquire())
          .withMessageContaining(encoding);
      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> keeper.counter(BROKEN_HEART).incrementAndGet())
          .withMessageContaining(encoding);
      keeper.lock("a").acquire().release();
    }
    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> Lockkeeper.builder().namespace(BROKEN_HEART).connect(url))
        .withMessageContaining(encoding);
    assertThat(encoding(url).verdict()).isEqualTo(Finding.Verdict.WARN);
    assertThat(encoding(url).found()).contains(encoding);
    assertThat(encoding(Databases.postgres().jdbcUrl()).verdict()).isEqualTo(Finding.Verdict.OK);
  }

  private static Finding encoding(String url) {
    StoreContext context =
        new StoreContext(
            "doctor",
            "test client",
            "doctor",
            Timings.DEFAULT,
            new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
    return new JdbcStoreProvider()
        .doctor(url).orElseThrow().examine(context).stream()
            .filter(finding -> finding.subject().equals("encoding"))
            .findFirst()
            .orElseThrow();
  }

  /** MySQL's driver can be told to use one. */
  @Test
  void theCharacterSetOfAConnectionChangesNoName() throws Exception {
    String url = Databases.mySqlUrl();
    try (Lockkeeper keeper = Lockkeeper.connect(url);
        Lockkeeper other = Lockkeeper.connect(url + "&characterEncoding=ISO-8859-1")) {
      for (String name : new String[] {"größer", ORDER, BROKEN_HEART}) {
        Lease lease = keeper.lock(name).acquire();
        assertThat(other.lock(name).isLocked()).isTrue();
        assertThat(other.lock(name).tryLock()).isFalse();
        lease.release();
        assertThat(keeper.counter(name).incrementAndGet()).isEqualTo(1);
        assertThat(other.counter(name).incrementAndGet()).isEqualTo(2);
      }
      Lease lease = other.lock(ORDER).acquire();
      assertThat(other.lock("订单:2").isLocked()).isFalse();
      lease.release();
    }
  }
}
