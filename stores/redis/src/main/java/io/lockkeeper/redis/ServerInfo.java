package io.lockkeeper.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandType;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Questions to one server about itself. */
final class ServerInfo {

  private static final long MICROS_PER_SECOND = 1_000_000;

  private final String where;
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final Opening opening;
  private final Function<Address, ServerInfo> others;

  private ServerInfo(
      String where,
      StatefulRedisConnection<byte[], byte[]> connection,
      Opening opening,
      Function<Address, ServerInfo> others) {
    this.where = where;
    this.connection = connection;
    this.opening = opening;
    this.others = others;
  }

  static ServerInfo ofOne(
      RedisClient client, RedisURI uri, Opening opening, RedisSettings settings) {
    return connected(client, uri, opening, settings, settings.describe());
  }

  private static ServerInfo connected(
      RedisClient client, RedisURI uri, Opening opening, RedisSettings settings, String where) {
    return new ServerInfo(
        where,
        opening.await(client.connectAsync(ByteArrayCodec.INSTANCE, uri)),
        opening,
        other ->
            connected(client, OwnClient.uri(settings, other), opening, settings, other.toString()));
  }

  static List<ServerInfo> ofCluster(RedisClusterClient client, Opening opening) {
    opening.await(client.refreshPartitionsAsync());
    StatefulRedisClusterConnection<byte[], byte[]> all =
        opening.await(client.connectAsync(ByteArrayCodec.INSTANCE));
    return ClusterLink.masters(all).stream().map(master -> node(all, master, opening)).toList();
  }

  private static ServerInfo node(
      StatefulRedisClusterConnection<byte[], byte[]> all, Address node, Opening opening) {
    return new ServerInfo(
        node.toString(),
        opening.await(all.getConnectionAsync(node.host(), node.port())),
        opening,
        other -> node(all, other, opening));
  }

  /** Returns another server of the same kind; empty if it cannot be reached with this account. */
  Optional<ServerInfo> other(Address address) {
    try {
      return Optional.of(others.apply(address));
    } catch (LockkeeperException e) {
      return Optional.empty();
    }
  }

  /** Returns which server this is. */
  String where() {
    return where;
  }

  /** Returns all that the server says about itself; empty if the account may not ask. */
  Map<String, String> info() {
    Map<String, String> fields = new LinkedHashMap<>();
    text(CommandType.INFO, "everything").ifPresent(text -> read(text, fields));
    return fields;
  }

  /** Returns the fields of {@code CLUSTER INFO}; empty likewise. */
  Map<String, String> clusterInfo() {
    Map<String, String> fields = new LinkedHashMap<>();
    text(CommandType.CLUSTER, "INFO").ifPresent(text -> read(text, fields));
    return fields;
  }

  /** Returns a setting; empty if the account may not ask, or there is no such setting. */
  Optional<String> setting(String name) {
    return ask(SetupCall.values(CommandType.CONFIG, "GET", name))
        .filter(pair -> pair.size() == 2)
        .map(pair -> string(pair.get(1)));
  }

  /** Returns the server's clock; empty if the account may not ask. */
  Optional<Long> nowMicros() {
    return ask(SetupCall.values(CommandType.TIME))
        .filter(pair -> pair.size() == 2)
        .map(
            pair ->
                Long.parseLong(string(pair.get(0))) * MICROS_PER_SECOND
                    + Long.parseLong(string(pair.get(1))));
  }

  private Optional<String> text(CommandType type, String... arguments) {
    return ask(SetupCall.text(type, arguments));
  }

  private <T> Optional<T> ask(SetupCall<T> call) {
    connection.dispatch(call);
    try {
      return Optional.ofNullable(opening.await(call.result));
    } catch (StoreRefusedException e) {
      return Optional.empty();
    }
  }

  private static void read(String text, Map<String, String> fields) {
    text.lines()
        .filter(line -> !line.startsWith("#") && line.indexOf(':') > 0)
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            });
  }

  private static String string(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
