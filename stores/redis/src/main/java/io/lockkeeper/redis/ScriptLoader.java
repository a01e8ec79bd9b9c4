package io.lockkeeper.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** Loads the scripts into one server, again if it has forgotten them. */
final class ScriptLoader {

  private final ReentrantLock mutex = new ReentrantLock();

  // Guarded by mutex.
  private boolean hasLoaded;
  private long loadedNanos;

  /** Loads them all, unless that has been done since this call was sent. */
  void load(Call<?> call, long nowNanos, StatefulRedisConnection<byte[], byte[]> connection) {
    if (isNeeded(call, nowNanos)) {
      load(connection);
    }
  }

  private boolean isNeeded(Call<?> call, long nowNanos) {
    mutex.lock();
    try {
      if (hasLoaded && call.wasSentBefore(loadedNanos)) {
        return false;
      }
      hasLoaded = true;
      loadedNanos = nowNanos;
      return true;
    } finally {
      mutex.unlock();
    }
  }

  /** Loads them all; the answers are their names. */
  static List<CompletableFuture<String>> load(StatefulRedisConnection<byte[], byte[]> connection) {
    List<SetupCall<String>> loads = Script.ALL.stream().map(SetupCall::load).toList();
    List<CompletableFuture<String>> names = new ArrayList<>();
    for (SetupCall<String> load : loads) {
      connection.dispatch(load);
      names.add(load.result);
    }
    return names;
  }
}
