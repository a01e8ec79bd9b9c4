package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisSentinelGroup;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class SentinelTest {

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void theStoreFollowsTheMaster(RedisBinary binary) {
    try (RedisSentinelGroup group = RedisSentinelGroup.start(binary);
        StoreProbe holder = Probes.open(group.url() + "&afterLoss=grant");
        StoreProbe waiter = Probes.open(group.url() + "&afterLoss=grant")) {
      Grant grant = handOver(holder, waiter, holder.claimed(ResourceId.lock("r"), 1), 2);

      group.switchMaster();
      grant = handOver(waiter, holder, claimAgain(waiter, 3, grant), 4);

      group.failOver();
      handOver(holder, waiter, claimAgain(holder, 5, grant), 6);
    }
  }

  static Stream<Arguments> passwords() {
    return Stream.of(
        Arguments.of(null, null),
        Arguments.of("s3cret/:@", "s3cret/:@"),
        Arguments.of("s3cret", "0ther s3cret"),
        Arguments.of("s3cret", null),
        Arguments.of(null, "s3cret"));
  }

  @ParameterizedTest
  @MethodSource("passwords")
  void sentinelsAndServersEachHaveTheirPassword(
      @Nullable String password, @Nullable String sentinelPassword) {
    try (RedisSentinelGroup group =
        RedisSentinelGroup.start(Binaries.newest(), password, sentinelPassword)) {
      String url =
          password == null
              ? group.url()
              : group.url().replace("://", "://:" + encoded(password) + "@");
      String whole =
          sentinelPassword == null ? url : url + "&sentinelPassword=" + encoded(sentinelPassword);
      try (StoreProbe client = Probes.open(whole + "&afterLoss=grant")) {
        Grant before = client.claimed(ResourceId.lock("r"), 1);
        if (sentinelPassword != null) {
          for (RedisServer sentinel : group.sentinels()) {
            sentinel.command("ACL", "SETUSER", "app", "on", ">its s3cret", "+@all");
          }
          Probes.open(url + "&sentinelUser=app&sentinelPassword=its%20s3cret").close();
        }
        group.failOver();
        claimAgain(client, 2, before);
      }
      if (sentinelPassword != null) {
        for (String wrong :
            List.of("", "&sentinelPassword=wr0ng", "&sentinelUser=nobody&sentinelPassword=wr0ng")) {
          assertThatThrownBy(() -> Probes.open(url + wrong))
              .isInstanceOfSatisfying(
                  StoreRefusedException.class,
                  refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED))
              .hasMessageNotContaining("s3cret")
              .hasMessageNotContaining("wr0ng");
        }
      }
    }
  }

  private static String encoded(String password) {
    return URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The new master may have got the old grant or not; with force there is certainly a new one. */
  private static Grant claimAgain(StoreProbe client, long claim, Grant before) {
    await()
        .atMost(Delays.patience())
        .until(
            () ->
                StoreProbe.force(client.store, ResourceId.lock("r"))
                    instanceof Outcome.Answered<?>);
    client.notifications.clear();
    Grant grant = client.claimed(ResourceId.lock("r"), claim);
    assertThat(grant.firstToken()).isGreaterThan(before.lastToken());
    return grant;
  }

  private static Grant handOver(StoreProbe from, StoreProbe to, Grant grant, long claim) {
    await()
        .atMost(Delays.patience())
        .until(() -> to.claim(ResourceId.lock("r"), claim) instanceof Outcome.Answered<?>);
    from.release(ResourceId.lock("r"), grant);
    await()
        .atMost(Delays.patience())
        .until(() -> to.notifications.contains("granted lock 'r' [" + claim + "]"));
    to.notifications.clear();
    return StoreProbe.granted(to.claim(ResourceId.lock("r"), claim));
  }
}
