package io.lockkeeper.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.process.TalkingProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * What a process of its own does that takes a lock. It says what it does, line by line: {@code
 * waiting}, {@code held TOKEN}, and once a line on its input has it go on, {@code clock MILLIS},
 * {@code valid true|false}, {@code write accepted|refused}, {@code lost REASON} and {@code
 * released} or {@code refused}.
 */
final class LockingProcess {

  /** Writes to a register unless it has seen a larger token. */
  static final String GUARDED_WRITE =
      """
      local seen = tonumber(redis.call('GET', KEYS[1]) or '0')
      if tonumber(ARGV[1]) < seen then return 0 end
      redis.call('SET', KEYS[1], ARGV[1])
      return 1
      """;

  private LockingProcess() {}

  static TalkingProcess start(String url, String name, Duration lease) throws IOException {
    return start(url, name, lease, Map.of());
  }

  /** Starts one that has more in its environment than this process. */
  static TalkingProcess start(
      String url, String name, Duration lease, Map<String, String> environment) throws IOException {
    return TalkingProcess.start(
        LockingProcess.class, environment, url, name, Long.toString(lease.toMillis()));
  }

  // ------------------------------------------------------------- in the process itself

  public static void main(String[] arguments) throws Exception {
    String url = arguments[0];
    Duration lease = Duration.ofMillis(Long.parseLong(arguments[2]));
    try (Lockkeeper keeper = Lockkeeper.builder().lease(lease).connect(url);
        RedisClient client = RedisClient.create(url);
        StatefulRedisConnection<String, String> register = client.connect()) {
      TalkingProcess.say("waiting");
      Lease held = keeper.fairLock(arguments[1]).acquire();
      held.onLost(loss -> TalkingProcess.say("lost " + loss.reason()));
      TalkingProcess.say("held " + held.token());
      TalkingProcess.awaitWord();
      TalkingProcess.say("clock " + System.currentTimeMillis());
      TalkingProcess.say("valid " + held.isValid());
      TalkingProcess.say("write " + (write(register, held.token()) ? "accepted" : "refused"));
      try {
        held.release();
        TalkingProcess.say("released");
      } catch (LeaseLostException lost) {
        TalkingProcess.say("refused");
      }
      TalkingProcess.awaitWord();
    }
  }

  private static boolean write(StatefulRedisConnection<String, String> register, long token) {
    Long written =
        register
            .sync()
            .eval(
                GUARDED_WRITE,
                ScriptOutputType.INTEGER,
                new String[] {"register"},
                Long.toString(token));
    return written == 1;
  }
}
