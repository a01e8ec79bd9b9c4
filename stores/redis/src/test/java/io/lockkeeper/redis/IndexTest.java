package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.servers.CommandStat;
import io.lockkeeper.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The index of a namespace: what is listed costs nothing for what is not. */
class IndexTest {

  private static final String INDEX = "lockkeeper:names";
  private static final int FOREIGN = 20_000;

  private final RedisServer server = RedisServer.start();
  private Lockkeeper keeper;

  @BeforeEach
  void connect() {
    keeper = Lockkeeper.connect(server.url());
  }

  @AfterEach
  void stop() {
    keeper.close();
    server.close();
  }

  private List<String> listed() {
    return keeper.admin().inspect().stream().map(ResourceReport::name).toList();
  }

  private void addForeignKeys() {
    server.command(
        "EVAL",
        "for i = 1, ARGV[1] do redis.call('SET', 'foreign:' .. i, i) end",
        "0",
        String.valueOf(FOREIGN));
  }

  private long calls(String command) {
    CommandStat stat = server.commandStats().get(command);
    return stat == null ? 0 : stat.calls();
  }

  @Test
  void foreignKeysAreNotLookedAt() {
    addForeignKeys();
    keeper.lock("a").lock();
    keeper.readWriteLock("b").readLock().lock();
    server.resetStats();

    assertThat(listed()).containsExactly("a", "b");

    assertThat(calls("scan")).isZero();
  }

  @Test
  void whereItHasGoneAllKeysAreLookedAtOnce() {
    addForeignKeys();
    keeper.lock("a").lock();
    assertThat(keeper.semaphore("s{}%", 2).tryAcquire()).isPresent();
    keeper.counter("n").addAndGet(1);
    server.command("DEL", INDEX);
    keeper.lock("b").lock();
    server.resetStats();

    assertThat(listed()).containsExactly("a", "b", "s{}%");
    long scans = calls("scan");
    assertThat(scans).isPositive();
    assertThat(listed()).containsExactly("a", "b", "s{}%");
    assertThat(calls("scan")).isEqualTo(scans);
    assertThat((List<?>) server.command("ZRANGE", INDEX, "0", "-1"))
        .map(String::valueOf)
        .containsExactly("*", "{a}", "{b}", "{n}:ctr", "{s%7B%7D%25}:sem");
    assertThat((long) server.command("PTTL", INDEX)).isPositive();
  }

  @Test
  void aClientThatMindsNoGapsIsListedToo() {
    try (Lockkeeper careless = Lockkeeper.connect(server.url() + "?afterLoss=grant")) {
      careless.lock("careless").lock();

      assertThat(listed()).containsExactly("careless");
    }
  }

  @Test
  void namesThatAreUsedOnceDoNotPileUp() throws Exception {
    DistributedLock kept = keeper.lock("kept");
    kept.lock();
    int names = 3_000;
    for (int i = 0; i < names; i++) {
      String name = "once-" + i;
      try (Lease lease = keeper.lock(name).acquire()) {
        assertThat(lease.isValid()).isTrue();
      }
      server.command("DEL", "lockkeeper:{" + name + "}"); // as after its minute
    }

    assertThat((long) server.command("ZCARD", INDEX)).isLessThan(names / 3);
    assertThat(listed()).containsExactly("kept");
    assertThat((long) server.command("ZCARD", INDEX)).as("the marker and one name").isEqualTo(2);
  }

  @Test
  void manyAreListedInPages() throws Exception {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      leases.add(keeper.lock("many-" + i).acquire());
    }
    server.resetStats();

    assertThat(listed()).hasSize(leases.size());
    assertThat(calls("scan")).isZero();

    leases.forEach(Lease::release);
  }
}
