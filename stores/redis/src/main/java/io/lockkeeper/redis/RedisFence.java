package io.lockkeeper.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisScriptingCommands;
import io.lockkeeper.Lease;
import io.lockkeeper.StaleTokenException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fence in Redis: it keeps out what a holder writes whose lease has ended, and whose lock
 * somebody else has used since. The lock may be on any store; the fence is beside the value that is
 * written.
 *
 * <pre>{@code
 * RedisFence fence = RedisFence.over(connection.sync());
 * fence.set("price:1001", "17", lease);
 * }</pre>
 *
 * <p>A write is one script that compares the token, remembers it and writes. The value is an
 * ordinary one, to be read by {@code GET}. The largest token stands under a key of its own, which
 * stays when the value is deleted: {@code {price:1001}:fence}, in the same slot of a cluster. One
 * lock guards one value; tokens of several locks have nothing to do with each other.
 *
 * <p>What is read under the lock and decides what is written may be older than a write that comes
 * late, unless {@link #enter} has been called before reading.
 *
 * <p>A failover that forgets the token lets an older one in again, as it forgets the value.
 *
 * <p>Thread-safe, if the commands are.
 */
public final class RedisFence {

  /**
   * Keys: the value, the token. Arguments: the token; "set" and the value, "del", or "enter".
   * Returns the token of a later holder, or nil. Tokens are compared as texts: numbers of Lua are
   * not exact beyond 2^53.
   */
  private static final String SCRIPT =
      """
      local seen = redis.call('get', KEYS[2])
      if seen and (#seen > #ARGV[1] or #seen == #ARGV[1] and seen > ARGV[1]) then
        return seen
      end
      redis.call('set', KEYS[2], ARGV[1])
      if ARGV[2] == 'set' then
        redis.call('set', KEYS[1], ARGV[3])
      elseif ARGV[2] == 'del' then
        redis.call('del', KEYS[1])
      end
      return nil
      """;

  private final RedisScriptingCommands<String, String> commands;

  private RedisFence(RedisScriptingCommands<String, String> commands) {
    this.commands = commands;
  }

  /**
   * Returns a fence for what is written over these commands: {@code connection.sync()} of a server
   * or of a cluster.
   */
  public static RedisFence over(RedisScriptingCommands<String, String> commands) {
    return new RedisFence(Objects.requireNonNull(commands, "commands"));
  }

  /**
   * Remembers the token of a lease, so that from now on nothing of an earlier holder is written:
   * before something is read that decides what is written.
   *
   * @param key the key of the value, as in {@link #set}
   * @param lease of a lock, a term of office, or the write lock of a read-write lock
   * @throws StaleTokenException if a later holder has been here
   * @throws IllegalArgumentException as {@link #set}
   */
  public void enter(String key, Lease lease) {
    write(key, lease, "enter", null);
  }

  /**
   * Sets a value.
   *
   * @param key its key; a closing brace only as the end of a hash tag
   * @param lease of a lock, a term of office, or the write lock of a read-write lock
   * @throws StaleTokenException if a later holder has been here; nothing is written
   * @throws IllegalArgumentException if the key has a closing brace and no hash tag, or the lease
   *     is a part of what several hold at a time
   */
  public void set(String key, String value, Lease lease) {
    write(key, lease, "set", Objects.requireNonNull(value, "value"));
  }

  /**
   * Deletes a value. The token stays.
   *
   * @param key as in {@link #set}
   * @param lease of a lock, a term of office, or the write lock of a read-write lock
   * @throws StaleTokenException if a later holder has been here; nothing is deleted
   * @throws IllegalArgumentException as {@link #set}
   */
  public void delete(String key, Lease lease) {
    write(key, lease, "del", null);
  }

  private void write(String key, Lease lease, String what, @Nullable String value) {
    if (!lease.isExclusive()) {
      throw new IllegalArgumentException(
          lease
              + " is a part of what several hold at a time: its token fences nobody off; of a"
              + " read-write lock, use the write lock");
    }
    String[] keys = {key, fenceOf(key)};
    String token = Long.toString(lease.token());
    String[] arguments =
        value == null ? new String[] {token, what} : new String[] {token, what, value};
    String newer = commands.eval(SCRIPT, ScriptOutputType.VALUE, keys, arguments);
    if (newer != null) {
      throw new StaleTokenException(
          lease.kind(), lease.name(), lease.token(), Long.parseLong(newer));
    }
  }

  /** Returns the key of the token: in the slot of the value. */
  static String fenceOf(String key) {
    int open = key.indexOf('{');
    if (open >= 0 && key.indexOf('}', open) > open + 1) {
      return key + ":fence";
    }
    if (key.indexOf('}') >= 0) {
      throw new IllegalArgumentException("a closing brace, and no hash tag: " + key);
    }
    return "{" + key + "}:fence";
  }
}
