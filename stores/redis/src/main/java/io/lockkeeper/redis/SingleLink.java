package io.lockkeeper.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.netty.util.Timer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one server, or to whichever server the Sentinels name.
 *
 * <p>It carries calls and pushes: with version 3 of the protocol a connection that hears channels
 * takes commands as well. Only if replicas must confirm calls these have a connection of their own,
 * because pushes would not pass a wait.
 */
final class SingleLink implements Link {

  private static final int MAX_GROUP = 100;

  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final @Nullable ReplicationPipeline confirming;
  private final String description;
  private final Timer timer;
  private final Runnable closeAll;
  private final ScriptLoader loader = new ScriptLoader();

  SingleLink(
      StatefulRedisConnection<byte[], byte[]> connection,
      Replication replication,
      String description,
      Timer timer,
      Runnable closeAll) {
    this.connection = connection;
    this.description = description;
    this.timer = timer;
    this.closeAll = closeAll;
    if (replication.isNeeded()) {
      Wire wire = new Wire(connection);
      this.confirming = new ReplicationPipeline(() -> wire, replication);
    } else {
      this.confirming = null;
    }
  }

  @Override
  public void send(Call<?> call) {
    if (confirming != null) {
      confirming.send(call);
    } else if (connection.isOpen()) {
      connection.dispatch(call);
    } else { // the driver of an application may keep it until it is connected again
      call.completeExceptionally(new RedisException("not connected to " + description));
    }
  }

  @Override
  public void send(Reads reads) {
    if (confirming == null) {
      connection.dispatch(reads.commands());
    } else {
      confirming.send(reads);
    }
  }

  @Override
  public void loadScripts(Call<?> call, long nowNanos) {
    loader.load(call, nowNanos, connection);
  }

  @Override
  public void reconnect(List<Call<?>> calls) {
    disconnect(connection);
  }

  @Override
  public void slotsMoved() {
    // there are none
  }

  @Override
  public boolean redirect(Call<?> call, String redirection) {
    return false;
  }

  /** Closes the socket under a connection, which the driver then replaces. */
  static void disconnect(StatefulRedisConnection<?, ?> connection) {
    RedisChannelHandler<?, ?> handler = (RedisChannelHandler<?, ?>) connection;
    if (DriverVersion.innermost(handler.getChannelWriter()) instanceof DefaultEndpoint endpoint) {
      endpoint.disconnect();
    }
  }

  @Override
  public List<int[]> groups(List<byte[]> keys) {
    List<int[]> groups = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += MAX_GROUP) {
      groups.add(IntStream.range(from, Math.min(from + MAX_GROUP, keys.size())).toArray());
    }
    return groups;
  }

  @Override
  public List<byte[]> places(String beginning) {
    return List.of(beginning.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public boolean followsMoves() {
    return false;
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public Timer timer() {
    return timer;
  }

  @Override
  public void close() {
    closeAll.run();
  }
}
