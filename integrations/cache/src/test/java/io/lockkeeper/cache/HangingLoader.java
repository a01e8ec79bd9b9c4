package io.lockkeeper.cache;

import io.lettuce.core.RedisClient;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.process.TalkingProcess;
import java.time.Duration;
import java.util.Map;

/** A process whose loader never returns; it says {@code loading} when that has begun. */
final class HangingLoader {

  private HangingLoader() {}

  static TalkingProcess start(String url, Duration lease) throws java.io.IOException {
    return TalkingProcess.start(
        HangingLoader.class, Map.of(), url, Long.toString(lease.toMillis()));
  }

  public static void main(String[] arguments) throws Exception {
    Duration lease = Duration.ofMillis(Long.parseLong(arguments[1]));
    try (RedisClient redis = RedisClient.create(arguments[0]);
        Lockkeeper keeper = Lockkeeper.connect(arguments[0])) {
      CacheGuardTest.guard(
              keeper,
              CacheGuardTest.cache(redis),
              CacheGuardOptions.defaults().withLoadLease(lease))
          .get(
              "killed",
              key -> {
                TalkingProcess.say("loading");
                TalkingProcess.awaitWord();
                return "never";
              });
    }
  }
}
