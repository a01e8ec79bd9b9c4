package io.lockkeeper.redis;

import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.SpoiledRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

class RedisSpoiledRecordsTest extends SpoiledRecords {

  private static final List<String> VALUES =
      List.of(
          "",
          "abc",
          "-1",
          "0",
          "1",
          "2",
          "1e400",
          "nan",
          "9223372036854775807",
          "99999999999999999999999",
          "1 2",
          "1,,2",
          "x.y 1 z",
          "\u0000\u0001",
          "%s|%d|");

  private final RedisServer server = SharedServers.running(RedisBinary.preferred());

  @Override
  protected StoreFactory factory() {
    return new RedisStoreProvider().factory(server.url() + "?afterLoss=grant");
  }

  @Override
  protected String spoil(String namespace, String name, Random random) {
    List<String> keys = list("KEYS", namespace + ":{" + name + "}*");
    if (keys.isEmpty()) {
      return "";
    }
    String key = pick(keys, random);
    List<String> change =
        switch (random.nextInt(8)) {
          case 0 -> List.of("SET", key, pick(VALUES, random));
          case 1 -> List.of("RPUSH", key, "a", "list");
          default -> change(key, random);
        };
    if (change.get(0).equals("RPUSH")) {
      server.command("DEL", key);
    }
    server.command(change.toArray(String[]::new));
    return String.join(" ", change);
  }

  private List<String> change(String key, Random random) {
    String type = Objects.requireNonNull((String) server.command("TYPE", key));
    if (type.equals("hash")) {
      String field = pick(list("HKEYS", key), random);
      return random.nextInt(5) == 0
          ? List.of("HDEL", key, field)
          : List.of("HSET", key, field, spoiled(server.command("HGET", key, field), random));
    } else if (type.equals("zset")) {
      String member = pick(list("ZRANGE", key, "0", "-1"), random);
      return switch (random.nextInt(3)) {
        case 0 -> List.of("ZREM", key, member);
        case 1 -> List.of("ZADD", key, pick(List.of("inf", "-inf", "0", "1e300"), random), member);
        default -> List.of("ZADD", key, "5", spoiled(member, random));
      };
    } else if (type.equals("string")) {
      return List.of("SET", key, spoiled(server.command("GET", key), random));
    }
    return List.of("DEL", key);
  }

  /** Returns another text instead of one, or what is left of it. */
  private static String spoiled(Object text, Random random) {
    String old = String.valueOf(text);
    if (random.nextBoolean() || old.isEmpty()) {
      return pick(VALUES, random);
    }
    int at = random.nextInt(old.length());
    return switch (random.nextInt(3)) {
      case 0 -> old.substring(0, at);
      case 1 -> old.substring(at);
      default -> old.substring(0, at) + (char) (' ' + random.nextInt(95)) + old.substring(at + 1);
    };
  }

  private List<String> list(String... command) {
    List<String> texts = new ArrayList<>();
    for (Object text : (List<?>) Objects.requireNonNull(server.command(command))) {
      texts.add((String) text);
    }
    return texts;
  }

  private static String pick(List<String> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }
}
