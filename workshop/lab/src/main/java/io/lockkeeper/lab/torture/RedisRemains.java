package io.lockkeeper.lab.torture;

import io.lockkeeper.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys of Redis servers, those that share the keys of a cluster. */
record RedisRemains(Supplier<List<RedisServer>> servers) implements LeftoverCheck {

  /** What stays for a while: records without a holder, and what was known of those who waited. */
  private static final Pattern PASSING =
      Pattern.compile(
          "\\{.*}(:[qw])?|\\{.*}:(rw|sem|bar)(:[eqwx])?|\\{.*}:(ctr|val|lat)(:w|:u:.*)?");

  private static final Pattern CELL = Pattern.compile("\\{.*}:(ctr|val|lat)");

  /** For good: that the server has not lost its memory. */
  private static final Set<String> MARKS = Set.of("mark", "epoch", "names");

  /** For a day: who a client was that did not say goodbye. */
  private static final Pattern CLIENT = Pattern.compile("i:[^:]*");

  @Override
  public List<String> of(String namespace) {
    List<String> left = new ArrayList<>();
    for (RedisServer server : servers.get()) {
      List<?> keys = (List<?>) Objects.requireNonNull(server.command("KEYS", namespace + ":*"));
      for (Object key : keys) {
        String name = (String) key;
        if (!mayStay(server, name, name.substring(namespace.length() + 1))) {
          left.add("the key " + name);
        }
      }
    }
    return left;
  }

  private static boolean mayStay(RedisServer server, String key, String name) {
    if (MARKS.contains(name)) {
      return true;
    }
    Matcher cell = CELL.matcher(name);
    if (cell.matches() && server.command("HGET", key, "c") != null) {
      return false;
    }
    boolean isKnown = PASSING.matcher(name).matches() || CLIENT.matcher(name).matches();
    return isKnown && willGo(server, key);
  }

  /** A key that has gone since it was listed counts as one that goes. */
  private static boolean willGo(RedisServer server, String key) {
    long left = (Long) Objects.requireNonNull(server.command("PTTL", key));
    return left > 0 || left == -2;
  }
}
