package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Rounds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts do the plain case first, in lines of its own, and all else the long way. Both must be the
 * same rule: here the scripts run beside themselves without these lines, each on a database of its
 * own, with random calls and a clock that jumps. Answers, messages and records are compared.
 */
class PlainCaseTest {

  private static final int CALLS = Rounds.of(3_000);
  private static final String PLAIN = "(?s)-- plain case: begin\n.*?-- plain case: end\n";
  private static final int HEARTBEAT_MILLIS = 10_000;

  @AutoClose
  private final RedisServer server = RedisServer.builder().binary(Binaries.newest()).start();

  @AutoClose private final RedisClient client = RedisClient.create(server.url());

  /** A database with the scripts in one of their two forms. */
  private static final class Side {

    private final RedisCommands<String, String> redis;
    private final boolean isPlain;
    private final Map<Script, String> names = new HashMap<>();

    Side(RedisCommands<String, String> redis, int database, boolean isPlain) {
      this.redis = redis;
      this.isPlain = isPlain;
      redis.select(database);
    }

    /** Calls a script at this time, and returns its answer or the error. */
    Object call(Script script, List<String> keys, List<String> arguments, long micros) {
      String name = names.computeIfAbsent(script, it -> redis.scriptLoad(text(it)));
      List<String> all = new ArrayList<>(arguments);
      all.add(Long.toString(micros / 1_000_000));
      all.add(Long.toString(micros % 1_000_000));
      try {
        return redis.evalsha(
            name, ScriptOutputType.OBJECT, keys.toArray(String[]::new), all.toArray(String[]::new));
      } catch (RedisCommandExecutionException e) {
        return String.valueOf(e.getMessage()).replaceAll("script: \\w+|f_\\w+", "");
      }
    }

    /** The script, with the time from its last arguments and messages in a list. */
    private String text(Script script) {
      String text = new String(script.text(), StandardCharsets.UTF_8);
      String timed =
          text.replace("local time = call('TIME')", "local time = {ARGV[#ARGV - 1], ARGV[#ARGV]}")
              .replace("redis.pcall('PUBLISH', ", "redis.pcall('RPUSH', 'messages', ");
      assertThat(timed).contains("ARGV[#ARGV]");
      return isPlain ? timed : timed.replaceAll(PLAIN, "");
    }

    /** Returns all that is stored; of what ends by itself, that it does. */
    Map<String, Object> stored() {
      Map<String, Object> all = new TreeMap<>();
      for (String key : redis.keys("*")) {
        Object value =
            switch (redis.type(key)) {
              case "hash" -> new TreeMap<>(redis.hgetall(key));
              case "zset" -> redis.zrangeWithScores(key, 0, -1);
              case "list" -> redis.lrange(key, 0, -1);
              default -> redis.get(key);
            };
        all.put(key, List.of(value, redis.pttl(key) > 0));
      }
      return all;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void thePlainCaseIsTheSameRule(long seed) {
    Random random = new Random(seed);
    Side plain = new Side(client.connect().sync(), 1, true);
    Side lengthy = new Side(client.connect().sync(), 2, false);
    List<String> clients = List.of("c1", "c2", "c3");
    long micros = 1_700_000_000_000_000L;
    int claims = 0;
    for (int i = 0; i < CALLS; i++) {
      micros += step(random);
      String me = pick(random, clients);
      String limits =
          pick(random, List.of("o", "o", "o", "g"))
              + (" srv - 600000 " + HEARTBEAT_MILLIS + " 5000 30000 0");
      String kind = pick(random, List.of("", "", ":rw", ":sem", ":bar"));
      String record = "ns:{x}" + kind;
      String lease = pick(random, List.of("1000", "10000", "30000"));
      boolean isClaim = random.nextBoolean();
      claims += isClaim ? 1 : 0;
      String waits = pick(random, List.of("1", "1", "0"));
      Script script;
      List<String> arguments;
      if (kind.isEmpty() && isClaim) {
        script = Script.CLAIM;
        String tokens = pick(random, List.of("1", "1", "8"));
        arguments = List.of(me, limits, "" + claims, lease, tokens, waits, "a label");
      } else if (kind.isEmpty()) {
        script = Script.RELEASE;
        String owner = plain.redis.hget(record, "o");
        String grant = plain.redis.hget(record, "g");
        arguments =
            List.of(
                owner != null && clients.contains(owner) ? owner : me,
                limits,
                grant == null ? "0" : grant,
                used(random, plain.redis.hget(record, "f")),
                "");
      } else if (isClaim) {
        script = Script.POOL_CLAIM;
        boolean isPair = kind.equals(":rw");
        arguments =
            List.of(
                me,
                limits,
                "" + claims,
                lease,
                waits,
                isPair && random.nextInt(3) == 0 ? "2147483647" : "1",
                isPair ? "2147483647" : "2",
                pick(random, List.of("0", "0", "1")),
                "a label");
      } else {
        script = Script.POOL_RELEASE;
        List<String> grants = plain.redis.zrange(record + ":e", 0, -1);
        String[] member = (grants.isEmpty() ? me + ".0" : pick(random, grants)).split("\\.", 2);
        arguments = List.of(random.nextInt(9) == 0 ? me : member[0], limits, member[0], member[1]);
      }
      List<String> keys =
          script.keySuffixes().stream()
              .map(suffix -> record + new String(suffix, StandardCharsets.UTF_8))
              .toList();
      String call = "call " + i + ": " + script.file() + " " + record + " " + arguments;
      assertThat(plain.call(script, keys, arguments, micros))
          .as(call)
          .isEqualTo(lengthy.call(script, keys, arguments, micros));
      assertThat(plain.stored()).as(call).isEqualTo(lengthy.stored());
    }
  }

  /** Mostly a little later, sometimes so much that things end, now and then back. */
  private static long step(Random random) {
    int kind = random.nextInt(100);
    if (kind < 2) {
      return -(long) pick(random, List.of(500, 3_000_000, 40_000_000));
    }
    return kind < 90
        ? pick(random, List.of(0, 1, 50, 1_000, 100_000))
        : pick(random, List.of(1_000_000, 6_000_000, 15_000_000));
  }

  /** What a release says of the tokens that it used: not known, or around the first. */
  private static String used(Random random, @Nullable String first) {
    return first == null || random.nextInt(5) == 0
        ? "-1"
        : Long.toString(Long.parseLong(first) + random.nextInt(5) - 1);
  }

  private static <T> T pick(Random random, List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
