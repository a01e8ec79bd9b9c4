package io.lockkeeper.cache.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.process.TalkingProcess;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two processes with Spring Data's caches on a real Redis. */
class GuardedRedisCachesTest {

  private static final Duration LIMIT = Delays.work();

  private static void tell(List<TalkingProcess> processes) throws Exception {
    for (TalkingProcess process : processes) {
      process.goOn();
    }
  }

  @Test
  void twoProcessesRunAMethodOncePerKeyAndOnceMoreAfterAnEviction() throws Exception {
    try (RedisServer redis = RedisServer.start();
        TalkingProcess one = GuardedApplication.start(redis.url(), true);
        TalkingProcess two = GuardedApplication.start(redis.url(), false)) {
      List<TalkingProcess> both = List.of(one, two);
      for (TalkingProcess each : both) {
        each.await("ready", LIMIT);
      }

      tell(both);
      for (TalkingProcess each : both) {
        assertThat(each.await("got", LIMIT)).isEqualTo("[product 7 1]");
      }
      tell(both);
      for (TalkingProcess each : both) {
        each.await("changed", LIMIT);
      }
      tell(both);
      for (TalkingProcess each : both) {
        assertThat(each.await("got", LIMIT)).isEqualTo("[product 7 2]");
      }
    }
  }
}
