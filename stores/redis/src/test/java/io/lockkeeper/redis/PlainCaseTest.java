package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Rounds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts do the plain case first, in lines of its own, and all else the long way. Both must be the
 * same rule: here the scripts run beside themselves without these lines, each on a database of its
 * own, with random calls and a clock that jumps. Answers, messages and records are compared.
 */
class PlainCaseTest {

  private static final int CALLS = Rounds.of(1_500);
  private static final String PLAIN = "(?s)-- plain case: begin\n.*?-- plain case: end\n";
  private static final int HEARTBEAT_MILLIS = 10_000;

  private static final String LONG_LIVED_CALL =
      """
      local function call(...)
        local command = {...}
        local millis = command[1] == 'PEXPIRE' and 3 or command[4] == 'PX' and 5
        if millis then
          command[millis] = command[millis] * 1000
        end
        return redis.call(unpack(command))
      end
      """;

  private static final String STORED =
      """
      local latest_end = ARGV[1]
      local all = {}
      for _, key in ipairs(redis.call('KEYS', '*')) do
        local kind = redis.call('TYPE', key).ok
        local lines = {key, redis.call('PTTL', key) > 0 and 'ends' or 'stays'}
        if kind == 'hash' then
          local fields = redis.call('HKEYS', key)
          table.sort(fields)
          for _, field in ipairs(fields) do
            local value = redis.call('HGET', key, field)
            if key:sub(-2) == ':w' and not field:find('.', 1, true) then
              local heartbeat_end, claims = value:match('^(%d+)( .*)$')
              if tonumber(heartbeat_end) > tonumber(latest_end) then
                value = latest_end .. claims
                redis.call('HSET', key, field, value)
              end
            end
            lines[#lines + 1] = field .. ': ' .. value
          end
        elseif kind == 'string' then
          lines[#lines + 1] = redis.call('GET', key)
        else
          local range = kind == 'list' and redis.call('LRANGE', key, 0, -1)
            or redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
          for _, each in ipairs(range) do
            lines[#lines + 1] = each
          end
        end
        all[#all + 1] = table.concat(lines, ' | ')
      end
      table.sort(all)
      return all
      """;

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
        return spread(
            redis.evalsha(
                name,
                ScriptOutputType.MULTI,
                keys.toArray(String[]::new),
                all.toArray(String[]::new)));
      } catch (RedisCommandExecutionException e) {
        return String.valueOf(e.getMessage()).replaceAll("script: \\w+|f_\\w+", "");
      }
    }

    /** Makes a list of numbers out of an answer that is one text of them. */
    private static List<Object> spread(List<Object> answer) {
      return answer.size() == 1 && answer.get(0) instanceof String words
          ? Stream.of(words.split(" ")).<Object>map(Long::valueOf).toList()
          : answer;
    }

    /**
     * The script, with the time from its last arguments and messages in a list. The server counts
     * times to live with a clock of its own: they are so long that nothing ends in them, however
     * slowly the test runs.
     */
    private String text(Script script) {
      String text = new String(script.text(), StandardCharsets.UTF_8);
      String call = "local call = redis.call";
      String fromServer = "local time = call('TIME')";
      assertThat(text).contains(call, fromServer);
      String timed =
          text.replace(call, LONG_LIVED_CALL)
              .replace(
                  fromServer, "local time = {table.remove(ARGV, #ARGV - 1), table.remove(ARGV)}")
              .replace("redis.pcall('PUBLISH', ", "redis.pcall('RPUSH', 'messages', ");
      return isPlain ? timed : timed.replaceAll(PLAIN, "");
    }

    /**
     * Returns all that is stored; of what ends by itself, that it does. Heartbeats that a clock
     * which went back has left behind are as they will be when they are next read: the long way
     * reads some that the plain case does not need.
     */
    List<String> stored(long micros) {
      String latestEnd = Long.toString(micros + HEARTBEAT_MILLIS * 1_000L);
      return redis.eval(STORED, ScriptOutputType.MULTI, new String[0], latestEnd);
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
              + (" srv - 600000 " + HEARTBEAT_MILLIS + " 5000 30000 0 0");
      String kind = pick(random, List.of("", "", ":rw", ":sem", ":bar"));
      String record = "ns:{x}" + kind;
      String lease = pick(random, List.of("1000", "10000", "30000"));
      boolean isClaim = random.nextBoolean();
      claims += isClaim ? 1 : 0;
      String waits = pick(random, List.of("1", "1", "0"));
      String inside = plain.redis.hget(record, "o");
      Script script;
      List<String> arguments;
      if (isClaim) {
        script = Script.CLAIM;
        String tokens = kind.isEmpty() ? pick(random, List.of("1", "1", "8")) : "1";
        arguments =
            new ArrayList<>(List.of(me, limits, "" + claims, lease, tokens, waits, "a label"));
        if (!kind.isEmpty()) {
          boolean isPair = kind.equals(":rw");
          arguments.add(random.nextInt(3) > 0 ? "1" : isPair ? "2147483647" : "2");
          arguments.add(isPair ? "2147483647" : "3");
          arguments.add(pick(random, List.of("0", "0", "1")));
        }
      } else if (random.nextInt(3) == 0) {
        script = random.nextInt(4) == 0 ? Script.INSPECT : Script.LOOK;
        List<String> waiting = plain.redis.zrange(record + ":q", 0, -1);
        String[] member = (waiting.isEmpty() ? me + ".0" : pick(random, waiting)).split("\\.", 2);
        arguments = List.of(member[0], limits, member[1]);
      } else {
        List<String> grants = new ArrayList<>(plain.redis.zrange(record + ":e", 0, -1));
        if (inside != null) {
          grants.add(inside.split(" ", -1)[0]);
        }
        String[] member = (grants.isEmpty() ? me + ".0" : pick(random, grants)).split("\\.", 2);
        if (random.nextInt(4) == 0) {
          script = Script.RENEW;
          String change = pick(random, List.of("", "", "", "=another", "1"));
          arguments = List.of(member[0], limits, member[1], lease, "", change);
        } else {
          script = Script.RELEASE;
          String first = inside == null || !kind.isEmpty() ? null : inside.split(" ", -1)[4];
          arguments =
              new ArrayList<>(
                  List.of(
                      random.nextInt(9) == 0 ? me : member[0],
                      limits,
                      member[1],
                      used(random, first)));
          if (random.nextInt(9) == 0) {
            arguments.addAll(List.of("o", member[0]));
          }
        }
      }
      List<String> keys =
          script.keySuffixes(kind(kind)).stream()
              .map(suffix -> record + new String(suffix, StandardCharsets.UTF_8))
              .toList();
      String call = "call " + i + ": " + script.file() + " " + record + " " + arguments;
      assertThat(plain.call(script, keys, arguments, micros))
          .as(call)
          .isEqualTo(lengthy.call(script, keys, arguments, micros));
      assertThat(plain.stored(micros)).as(call).isEqualTo(lengthy.stored(micros));
    }
  }

  private static ResourceKind kind(String suffix) {
    return switch (suffix) {
      case ":rw" -> ResourceKind.READ_WRITE_LOCK;
      case ":sem" -> ResourceKind.SEMAPHORE;
      case ":bar" -> ResourceKind.BARRIER;
      default -> ResourceKind.LOCK;
    };
  }

  @Test
  void thePlainCaseIsAnsweredWithoutAnArray() {
    assertThat(text(Script.CLAIM, "{x}", "c1", "30000", "1", "1", "")).matches("1 \\d+ \\d+");
    assertThat(text(Script.CLAIM, "{x}", "c2", "30000", "1", "1", "")).matches("3 \\d+ \\d+ \\d+");
    assertThat(text(Script.RELEASE, "{x}", "c1", "-1")).isEqualTo("1");
    assertThat(text(Script.CLAIM, "{x}:sem", "c1", "30000", "1", "1", "", "1", "2", "0"))
        .matches("1 \\d+ \\d+");
    assertThat(text(Script.CLAIM, "{x}:sem", "c2", "30000", "1", "1", "", "1", "2", "0"))
        .matches("1 \\d+ \\d+");
    assertThat(text(Script.CLAIM, "{x}:sem", "c3", "30000", "1", "1", "", "1", "2", "0"))
        .matches("3 \\d+ \\d+ \\d+");
  }

  /** Calls a script about the first claim of a client, and returns its answer, which is a text. */
  private String text(Script script, String record, String me, String... rest) {
    List<String> arguments =
        new ArrayList<>(List.of(me, "g srv - 60000 10000 1000 30000 0 0", "1"));
    arguments.addAll(List.of(rest));
    String[] keys =
        script.keySuffixes(kind(record.substring(record.indexOf('}') + 1))).stream()
            .map(suffix -> "ns:" + record + new String(suffix, StandardCharsets.UTF_8))
            .toArray(String[]::new);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return connection
          .sync()
          .eval(script.text(), ScriptOutputType.VALUE, keys, arguments.toArray(String[]::new));
    }
  }

  @Test
  void aPlainChangeOfACellIsTheSameRule() {
    Random random = new Random(1);
    Side plain = new Side(client.connect().sync(), 1, true);
    Side lengthy = new Side(client.connect().sync(), 2, false);
    List<String> clients = List.of("c1", "c2", "c3");
    long micros = 1_700_000_000_000_000L;
    for (int i = 0; i < CALLS; i++) {
      micros += step(random);
      String cell = "ns:{x}:ctr";
      String me = pick(random, clients);
      if (random.nextInt(20) == 0) {
        double end = micros + 5_000_000.0;
        plain.redis.zadd(cell + ":w", end, me);
        lengthy.redis.zadd(cell + ":w", end, me);
      }
      List<String> arguments = new ArrayList<>(List.of(me, "" + i, "60000", "60000"));
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        arguments.addAll(change(random, plain.redis.hget(cell, "n")));
      }
      List<String> keys = List.of(cell, cell + ":w", cell + ":u:" + me);
      String call = "call " + i + ": " + arguments;
      assertThat(plain.call(Script.CELL_UPDATE, keys, arguments, micros))
          .as(call)
          .isEqualTo(lengthy.call(Script.CELL_UPDATE, keys, arguments, micros));
      assertThat(plain.stored(micros)).as(call).isEqualTo(lengthy.stored(micros));
    }
  }

  /** A change, mostly one with small numbers and without a time to live. */
  private static List<String> change(Random random, @Nullable String version) {
    String value =
        pick(
            random,
            List.of("0", "7", "-3", "text", "007", "12345678901234", "-9223372036854775808"));
    String ttl = pick(random, List.of("0", "0", "0", "0", "0", "1000"));
    String number =
        pick(random, List.of("1", "1", "-1", "-5", "999999999999", "9223372036854775807"));
    return switch (random.nextInt(12)) {
      case 0, 1 -> List.of("c", value, ttl);
      case 2 -> List.of("p", value, ttl);
      case 3 -> List.of("r", version == null ? "1" : version, value, ttl);
      case 4 -> List.of("n", "7", number);
      case 5 -> List.of("m", number);
      case 6 -> List.of("d");
      default ->
          List.of(
              "a",
              number,
              pick(random, List.of("", "", "0", "-4")),
              pick(random, List.of("0", "1")));
    };
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
