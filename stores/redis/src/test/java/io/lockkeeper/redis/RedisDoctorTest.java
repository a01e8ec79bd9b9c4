package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.fault.ClockShim;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.Finding.Verdict;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What the doctor says about servers that are set up in different ways. */
class RedisDoctorTest {

  static List<Finding> examine(String url) {
    return new RedisStoreProvider()
        .doctor(url)
        .orElseThrow()
        .examine(
            new StoreContext(
                "doctor",
                "doctor",
                "doctor",
                new Timings(5_000, 1_000, 60_000),
                new Environment(System::nanoTime, Threads::scheduler, new Random(1))));
  }

  private static Finding about(String subject, List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.subject().equals(subject))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing about " + subject + " in " + findings));
  }

  @Test
  void settingsThatForgetAreToldAndThoseThatDoNotAreNot() {
    try (RedisServer bad = RedisServer.builder().maxMemory("50mb", "volatile-lru").start();
        RedisServer good = RedisServer.builder().appendOnly().start()) {
      List<Finding> found = examine(bad.url());
      assertThat(about("eviction", found).verdict()).isEqualTo(Verdict.FAIL);
      assertThat(about("persistence", found).verdict()).isEqualTo(Verdict.WARN);
      assertThat(about("version", found).found()).matches("\\d+\\.\\d+\\.\\d+");

      assertThat(examine(good.url())).allMatch(finding -> finding.verdict() == Verdict.OK);

      good.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      good.command("CONFIG", "SET", "appendfsync", "everysec");
      List<Finding> later = examine(good.url());
      assertThat(about("eviction", later).verdict()).as("no limit").isEqualTo(Verdict.WARN);
      assertThat(about("persistence", later).verdict()).isEqualTo(Verdict.WARN);
    }
  }

  @Test
  void replicasAreCounted() {
    try (RedisServer master = RedisServer.start()) {
      assertThat(about("replicas", examine(master.url() + "?replicas=1")).verdict())
          .isEqualTo(Verdict.FAIL);
      try (RedisServer replica = RedisServer.builder().replicaOf(master).start()) {
        Awaitility.await().until(() -> master.isFollowedBy(replica));

        assertThat(about("replicas", examine(master.url() + "?replicas=1")).verdict())
            .isEqualTo(Verdict.OK);
        assertThat(about("replicas", examine(master.url())).advice()).contains("?replicas=1");
        assertThat(about("topology", examine(replica.url())).verdict()).isEqualTo(Verdict.FAIL);
      }
    }
  }

  @Test
  void aReplicaWithAnotherClockIsTold() {
    Assumptions.assumeTrue(ClockShim.isAvailable(), "a C compiler on Linux is needed");
    try (RedisServer master = RedisServer.start();
        ClockShim clock = ClockShim.create();
        RedisServer replica =
            RedisServer.builder().replicaOf(master).environment(clock.environment()).start()) {
      Awaitility.await().until(() -> master.isFollowedBy(replica));
      String subject = "clock of the replica 127.0.0.1:" + replica.port();
      assertThat(about(subject, examine(master.url())).verdict()).isEqualTo(Verdict.OK);

      clock.jumpTo(Duration.ofMinutes(1));

      assertThat(about(subject, examine(master.url())).verdict()).isEqualTo(Verdict.WARN);
      assertThat(about(subject, examine(master.url())).found()).startsWith("+");
    }
  }

  @Test
  void everyMasterOfAClusterIsExamined() {
    try (RedisCluster cluster = RedisCluster.start(RedisBinary.preferred())) {
      List<Finding> findings = examine(cluster.url());

      assertThat(about("cluster", findings).verdict()).isEqualTo(Verdict.OK);
      assertThat(findings)
          .filteredOn(finding -> finding.subject().startsWith("eviction at "))
          .hasSize(cluster.masters().size());
      assertThat(about("topology", examine(cluster.masters().get(0).url())).advice())
          .contains("redis-cluster://");
    }
  }

  @Test
  void anAccountThatMayNotAskIsNoFailure() {
    try (RedisServer server = RedisServer.start()) {
      server.command("ACL", "SETUSER", "locks", "on", ">s3cret", "~*", "-@all", "+hello", "+time");

      List<Finding> findings = examine("redis://locks:s3cret@127.0.0.1:" + server.port());

      assertThat(about("settings", findings).verdict()).isEqualTo(Verdict.WARN);
      assertThat(about("clock", findings).verdict()).isEqualTo(Verdict.OK);
    }
  }
}
