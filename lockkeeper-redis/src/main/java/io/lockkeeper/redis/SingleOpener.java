package io.lockkeeper.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Opens a store on one server, or on the server that Sentinels name. */
final class SingleOpener {

  private final RedisClient client;
  private final RedisURI uri;
  private final String description;
  private final Duration timeout;
  private final Runnable closeClient;

  /**
   * Creates one.
   *
   * @param description where the servers are, without secrets
   * @param timeout of a call
   * @param closeClient closes the driver if it is ours
   */
  SingleOpener(
      RedisClient client,
      RedisURI uri,
      String description,
      Duration timeout,
      Runnable closeClient) {
    this.client = client;
    this.uri = uri;
    this.description = description;
    this.timeout = timeout;
    this.closeClient = closeClient;
  }

  Store open(StoreContext context, Duration limit) {
    Opening opening = new Opening(description, limit);
    CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connecting =
        client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
    try {
      StatefulRedisPubSubConnection<byte[], byte[]> connection = opening.await(connecting);
      Pushes pushes = new Pushes();
      subscribe(opening, connection, pushes, context);
      loadScripts(opening, connection);
      Link link =
          new SingleLink(connection, description, client.getResources().timer(), closeClient);
      return new RedisStore(context, link, pushes, timeout);
    } catch (RuntimeException e) {
      var unused = connecting.thenCompose(StatefulRedisPubSubConnection::closeAsync);
      throw e;
    }
  }

  private static void subscribe(
      Opening opening,
      StatefulRedisPubSubConnection<byte[], byte[]> connection,
      Pushes pushes,
      StoreContext context) {
    connection.addListener(pushes);
    byte[] channel = new Keyspace(context.namespace()).channel(context.clientId());
    opening.await(connection.async().subscribe(channel));
    opening.await(pushes.subscribed);
  }

  private static void loadScripts(
      Opening opening, StatefulRedisPubSubConnection<byte[], byte[]> connection) {
    Map<Script, CompletableFuture<String>> loads = new LinkedHashMap<>();
    for (Script script : Script.ALL) {
      loads.put(script, connection.async().scriptLoad(script.text()).toCompletableFuture());
    }
    loads.forEach(
        (script, load) -> {
          String sha = opening.await(load);
          if (!sha.equals(script.sha())) {
            throw new IllegalStateException("the server calls " + script.file() + " " + sha);
          }
        });
  }
}
