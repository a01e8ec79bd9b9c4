package io.lockkeeper.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Has one server learn the scripts, again if it has forgotten them. */
final class ScriptLoader {

  private boolean hasLoaded;
  private long loadedNanos;

  /** Loads them all, unless that has been done since this call was sent. */
  void load(Call<?> call, StatefulRedisConnection<byte[], byte[]> connection) {
    if (isNeeded(call)) {
      load(connection);
    }
  }

  private synchronized boolean isNeeded(Call<?> call) {
    if (hasLoaded && call.wasSentBefore(loadedNanos)) {
      return false;
    }
    hasLoaded = true;
    loadedNanos = System.nanoTime();
    return true;
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
