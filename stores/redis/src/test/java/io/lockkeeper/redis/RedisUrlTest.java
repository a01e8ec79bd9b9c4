package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.SslVerifyMode;
import io.lockkeeper.redis.RedisSettings.Topology;
import io.lockkeeper.testkit.tck.FuzzedUrls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class RedisUrlTest {

  private static final List<String> URLS =
      List.of(
          "redis://u:s3cr3tXYZ@localhost:7000/3?timeout=500ms&push=off",
          "rediss://:s3cr3tXYZ@localhost?verifyPeer=ca&replicas=2",
          "rediss://:s3cr3tXYZ@localhost?ca=/ca.pem&cert=/c.pem&key=/k.pem",
          "redis-sentinel://u:s3cr3tXYZ@a:1,b:2/master?replicaTimeout=1s",
          "redis-cluster://u:s3cr3tXYZ@a:1,[::1]:3");

  @Test
  void aHostAloneHasDefaults() {
    RedisSettings settings = RedisUrl.parse("redis://localhost");

    assertThat(settings.topology()).isEqualTo(Topology.SINGLE);
    assertThat(settings.addresses()).containsExactly(new Address("localhost", 6379));
    assertThat(settings.user()).isNull();
    assertThat(settings.password()).isNull();
    assertThat(settings.database()).isZero();
    assertThat(settings.tls()).isNull();
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.connectTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.replication().isNeeded()).isFalse();
  }

  @Test
  void everythingCanBeSaid() {
    RedisSettings settings =
        RedisUrl.parse(
            "rediss://app:p%40ss%3Aw%25rd@redis.example:7000/3?timeout=500ms&connectTimeout=1m"
                + "&replicas=2&replicaTimeout=200ms&verifyPeer=ca");

    assertThat(settings.addresses()).containsExactly(new Address("redis.example", 7000));
    assertThat(settings.user()).isEqualTo("app");
    assertThat(settings.password()).isEqualTo("p@ss:w%rd");
    assertThat(settings.database()).isEqualTo(3);
    assertThat(verification(settings)).isEqualTo(SslVerifyMode.CA);
    assertThat(settings.timeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(settings.connectTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.replication()).isEqualTo(new Replication(2, Duration.ofMillis(200)));
    assertThat(settings.describe()).isEqualTo("rediss://redis.example:7000/3");
    assertThat(settings.toString()).doesNotContain("p@ss");
  }

  @Test
  void aPasswordNeedsNoUser() {
    RedisSettings settings = RedisUrl.parse("redis://:a+b@localhost");

    assertThat(settings.user()).isNull();
    assertThat(settings.password()).isEqualTo("a+b");
  }

  @Test
  void aPlainTlsUrlChecksTheWholeCertificate() {
    assertThat(verification(RedisUrl.parse("rediss://localhost"))).isEqualTo(SslVerifyMode.FULL);
    assertThat(verification(RedisUrl.parse("rediss://localhost?verifyPeer=false")))
        .isEqualTo(SslVerifyMode.NONE);
  }

  private static SslVerifyMode verification(RedisSettings settings) {
    return Objects.requireNonNull(settings.tls()).verification();
  }

  @Test
  void severalHostsAreACluster() {
    for (String url : List.of("redis://a:1,b,[::1]:3", "redis-cluster://a:1,b,[::1]:3")) {
      RedisSettings settings = RedisUrl.parse(url);
      assertThat(settings.topology()).isEqualTo(Topology.CLUSTER);
      assertThat(settings.addresses())
          .containsExactly(new Address("a", 1), new Address("b", 6379), new Address("::1", 3));
      assertThat(settings.describe()).isEqualTo("redis-cluster://a:1,b:6379,[::1]:3");
    }
    assertThat(RedisUrl.parse("redis-cluster://a").topology()).isEqualTo(Topology.CLUSTER);
  }

  @Test
  void sentinelsHaveTheirOwnPortAndAMaster() {
    for (String url : List.of("redis-sentinel://a,b:1/2?master=m", "redis-sentinel://a,b:1/2#m")) {
      RedisSettings settings = RedisUrl.parse(url);
      assertThat(settings.topology()).isEqualTo(Topology.SENTINEL);
      assertThat(settings.addresses())
          .containsExactly(new Address("a", 26379), new Address("b", 1));
      assertThat(settings.master()).isEqualTo("m");
      assertThat(settings.database()).isEqualTo(2);
      assertThat(settings.describe()).isEqualTo("redis-sentinel://a:26379,b:1/2?master=m");
    }
  }

  @Test
  void sentinelsHaveAPasswordOfTheirOwn() {
    RedisSettings settings =
        RedisUrl.parse(
            "redis-sentinel://:a@h?master=m&sentinelUser=u&sentinelPassword=p%40ss%2F%26+");

    assertThat(settings.password()).isEqualTo("a");
    assertThat(settings.sentinelUser()).isEqualTo("u");
    assertThat(settings.sentinelPassword()).isEqualTo("p@ss/&+");
    assertThat(settings.toString()).doesNotContain("ss/&");
    assertThat(RedisUrl.parse("redis-sentinel://:a@h?master=m").sentinelPassword()).isNull();
  }

  @TestFactory
  Stream<DynamicTest> whatIsWrongIsSaidWithWhatWouldBeRight() {
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry("redis:localhost", "redis://host:6379"),
            Map.entry("redis://", "is no host and port"),
            Map.entry("redis://a:b", "localhost:6379"),
            Map.entry("redis://a:0", "from 1 to 65535"),
            Map.entry("redis://a:70000", "from 1 to 65535"),
            Map.entry("redis://a b", "is no host and port"),
            Map.entry("redis://a,,b", "is no host and port"),
            Map.entry("redis://s3cret@a", ":password or user:password"),
            Map.entry("redis://:s3%cret@a", "must be written as %25"),
            Map.entry("redis://:s3cret@a/x", "must be the number of a database"),
            Map.entry("redis://:s3cret@a/0/1", "must be the number of a database"),
            Map.entry("redis://:s3cret@a,b/1", "only database 0"),
            Map.entry("redis://a?sentinelPassword=s3cret", "only for redis-sentinel://"),
            Map.entry(
                "redis-sentinel://a?master=m&sentinelUser=s3cret", "needs a sentinelPassword"),
            Map.entry("redis://:s3cret@a,b?afterLoss=wait", "does not wait after a loss"),
            Map.entry("redis://:s3cret@a,b?afterLoss=ask", "does not wait after a loss"),
            Map.entry("redis://:s3cret@a?afterLoss=no", "afterLoss must be ask, wait or grant"),
            Map.entry("redis://:s3cret@a?afterLoss=wait&quarantine=1s", "only for afterLoss=ask"),
            Map.entry("redis://:s3cret@a,b?quarantine=1s", "only for afterLoss=ask"),
            Map.entry(
                "redis://:s3cret@a?time=1s",
                "connectTimeout, key, master, push, quarantine, replicaTimeout"),
            Map.entry("redis://:s3cret@a?timeout", "needs a value"),
            Map.entry("redis://:s3cret@a?timeout=", "needs a value"),
            Map.entry(
                "redis://:s3cret@a?timeout=3",
                "timeout must be a duration with a unit, such as 500ms"),
            Map.entry("redis://:s3cret@a?timeout=0s", "timeout must be from 1 ms to 24 h"),
            Map.entry("redis://:s3cret@a?timeout=25h", "timeout must be from 1 ms to 24 h"),
            Map.entry("redis://:s3cret@a?timeout=1s&timeout=2s", "twice"),
            Map.entry("redis://:s3cret@a?replicas=-1", "from 0 to 99"),
            Map.entry("redis://:s3cret@a?replicas=1&replicaTimeout=3s", "shorter than timeout"),
            Map.entry("redis://:s3cret@a?master=m", "only redis-sentinel://"),
            Map.entry("redis://:s3cret@a?verifyPeer=yes&timeout=1s", "is only for rediss://"),
            Map.entry("rediss://:s3cret@a?verifyPeer=yes", "true, ca or false"),
            Map.entry("redis://:s3cret@a?ca=/ca.pem", "ca is only for rediss://"),
            Map.entry("redis://:s3cret@a?cert=/c&key=/k", "cert is only for rediss://"),
            Map.entry("rediss://:s3cret@a?cert=/c", "cert and key belong together"),
            Map.entry("rediss://:s3cret@a?key=/k", "cert and key belong together"),
            Map.entry("rediss://:s3cret@a?ca=%00s3cret", "ca must be the path of a file"),
            Map.entry("rediss://:s3cret@a?ca=/ca&verifyPeer=false", "leave one of them out"),
            Map.entry("redis-sentinel://u#:s3cret@a", "%23"),
            Map.entry("redis-sentinel://:s3cret@a", "?master=mymaster"));
    return wrong.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(),
                    () ->
                        assertThatThrownBy(() -> RedisUrl.parse(entry.getKey()))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining(entry.getValue())
                            .hasMessageNotContaining("s3cret")
                            .hasMessageNotContaining("s3%cret")));
  }

  @Test
  void theProviderIsFoundByEachScheme() {
    for (String scheme : new RedisStoreProvider().schemes()) {
      String parameters = scheme.contains("sentinel") ? "?master=m" : "";
      assertThat(new RedisStoreProvider().factory(scheme + "://localhost" + parameters))
          .isNotNull();
    }
    assertThat(RedisUrl.parse("REDIS://localhost").topology()).isEqualTo(Topology.SINGLE);
  }

  @Test
  void fuzzedUrlsAreReadOrRefusedAndNeverTellThePassword() {
    FuzzedUrls.neverTellThePassword(
        URLS,
        url -> {
          RedisSettings read = RedisUrl.parse(url);
          return read.describe() + read;
        });
  }
}
