package io.lockkeeper.redis;

import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.TckStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server for the test kit, and what must not be left on it. */
final class RedisTckStore implements TckStore {

  /** The record of something shared, or its grants. */
  private static final Pattern RESOURCE = Pattern.compile("(?s)(.*}(?::(?:rw|sem|bar))?)(?::e)?");

  private static final Pattern CELL = Pattern.compile("}:(ctr|val|lat|note)$");
  private static final Pattern CELL_MEMORY = Pattern.compile("}:(ctr|val|lat|note):u:\\w+$");

  private final RedisServer server;

  private final String options;

  RedisTckStore(RedisServer server) {
    this(server, "");
  }

  RedisTckStore(RedisServer server, String options) {
    this.server = server;
    this.options = options;
  }

  @Override
  public StoreFactory factory() {
    return new RedisStoreProvider().factory(url());
  }

  /**
   * Allows for a machine on which the first connection takes long. What becomes of locks after a
   * loss of memory has tests of its own; here it would only make tests wait for leases.
   */
  @Override
  public String url() {
    return server.url() + "?connectTimeout=20s&afterLoss=grant" + options;
  }

  @Override
  public Optional<String> unreachableUrl() {
    return Optional.of("redis://:s3cret@127.0.0.1:1?connectTimeout=20s");
  }

  @Override
  public boolean loseEverything() {
    server.command("FLUSHALL");
    server.tellThatItWasEmpty(); // other classes use the server too
    return true;
  }

  @Override
  public String residue(String namespace) {
    List<String> left = new ArrayList<>();
    for (Object key : list("KEYS", glob(namespace) + ":*")) {
      String name = (String) key;
      if (!isTombstone(name) && !isPassing(name)) {
        left.add(name);
      }
    }
    for (Object channel : list("PUBSUB", "CHANNELS", glob(namespace) + ":*")) {
      left.add("channel " + channel);
    }
    return String.join("\n", left);
  }

  /**
   * Returns whether nobody holds it, or it is the index, which may name what has gone; an end that
   * nobody has noticed yet is one all the same.
   */
  private boolean isTombstone(String key) {
    boolean willGo = (Long) Objects.requireNonNull(server.command("PTTL", key)) > 0;
    boolean isMemory = key.endsWith(":bar:x") || key.endsWith(":sem:x"); // of requests
    boolean isIndex = key.endsWith(":names");
    return willGo && (isMemory || isIndex || isWithoutHolders(key));
  }

  /** Returns whether this is the record of a resource, or its grants beside, and all are over. */
  private boolean isWithoutHolders(String key) {
    Matcher matcher = RESOURCE.matcher(key);
    if (!matcher.matches()) {
      return false;
    }
    String inside = (String) server.command("HGET", matcher.group(1), "o");
    String[] words = inside == null ? null : inside.split(" ", -1);
    boolean isOver =
        words == null || Long.parseLong(words[1]) + Long.parseLong(words[2]) <= nowMicros();
    return isOver
        && list("ZRANGEBYSCORE", matcher.group(1) + ":e", "(" + nowMicros(), "+inf").isEmpty();
  }

  /** Returns whether it is what a cell leaves: a tombstone, or what an update of it did. */
  private boolean isPassing(String key) {
    boolean isCell = CELL.matcher(key).find();
    boolean isMemory = CELL_MEMORY.matcher(key).find();
    boolean isEmpty = isMemory || (isCell && server.command("HGET", key, "c") == null);
    return isEmpty && (Long) Objects.requireNonNull(server.command("PTTL", key)) > 0;
  }

  private long nowMicros() {
    List<?> time = list("TIME");
    return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
  }

  private List<?> list(String... command) {
    return (List<?>) Objects.requireNonNull(server.command(command));
  }

  private static String glob(String text) {
    return text.replaceAll("[\\\\*?\\[\\]]", "\\\\$0");
  }

  @Override
  public void close() {}
}
