package io.lockkeeper.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.support.StoreUrl;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Stores over a Lettuce client that the application already has, for {@link
 * io.lockkeeper.LockkeeperBuilder#connect(StoreFactory)}.
 *
 * <pre>{@code
 * RedisClient client = RedisClient.create();
 * client.setOptions(
 *     ClientOptions.builder()
 *         .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
 *         .build());
 * Lockkeeper keeper =
 *     Lockkeeper.builder().connect(RedisStores.from(client, RedisURI.create("redis://localhost")));
 * }</pre>
 *
 * <p>The client stays the application's to shut down. Its options apply. It must speak version 3 of
 * the protocol, which is the driver's default. With {@code DisconnectedBehavior.REJECT_COMMANDS}
 * requests fail at once while there is no connection. Without it, and in Lettuce 6.6 with it too,
 * the driver keeps what was under way when a connection broke and sends it again on the next one,
 * perhaps to another server, where the answer means something else; that only costs time, but
 * {@link #withReplicas} rests on these answers and does not take such a client.
 *
 * <p>Immutable; each {@code with} method returns a changed copy.
 */
public final class RedisStores implements StoreFactory {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration LONGEST_CONNECT = Duration.ofHours(24);

  private final Function<Opener, Store> open;
  private final Supplier<ClientOptions> options;
  private final String where;
  private final Duration timeout;
  private final Duration connectTimeout;
  private final Replication replication;
  private final LossRule loss;
  private final boolean push;

  private RedisStores(
      Function<Opener, Store> open,
      Supplier<ClientOptions> options,
      String where,
      Duration timeout,
      Duration connectTimeout,
      Replication replication,
      LossRule loss,
      boolean push) {
    this.open = open;
    this.options = options;
    this.where = where;
    this.timeout = timeout;
    this.connectTimeout = connectTimeout;
    this.replication = replication;
    this.loss = loss;
    this.push = push;
  }

  /**
   * Returns stores on one server, or on the server that Sentinels name.
   *
   * @param uri where it is; its timeout limits connecting
   * @throws IllegalArgumentException if the client is set to version 2 of the protocol
   */
  public static RedisStores from(RedisClient client, RedisURI uri) {
    Objects.requireNonNull(uri, "uri");
    checkProtocol(client.getOptions().getProtocolVersion());
    RedisURI copy = RedisURI.builder(uri).build();
    return new RedisStores(
        opener ->
            opener.single(
                client,
                copy,
                opener.trial(() -> client.connectAsync(ByteArrayCodec.INSTANCE, copy)),
                opener::closeConnections),
        client::getOptions,
        describe(copy),
        TIMEOUT,
        connectTimeout(copy),
        Replication.NONE,
        LossRule.OF_CLIENTS,
        true);
  }

  /**
   * Returns stores on a cluster. Clients learn of grants by {@code PUBLISH}, which each node passes
   * on to all the others; this works with every version of the server.
   *
   * @param uri one of the nodes, for messages; its timeout limits connecting
   * @throws IllegalArgumentException if the client is set to version 2 of the protocol
   */
  public static RedisStores from(RedisClusterClient client, RedisURI uri) {
    Objects.requireNonNull(uri, "uri");
    checkProtocol(client.getOptions().getProtocolVersion());
    return new RedisStores(
        opener ->
            opener.cluster(
                client,
                opener.trial(() -> client.connectAsync(ByteArrayCodec.INSTANCE)),
                opener::closeConnections),
        client::getOptions,
        describe(uri),
        TIMEOUT,
        connectTimeout(uri),
        Replication.NONE,
        LossRule.OF_CLIENTS,
        true);
  }

  /**
   * Sets how long a request may take before its outcome counts as unknown. Default 3 seconds.
   *
   * @param limit from 1 millisecond to 24 hours
   * @throws IllegalArgumentException if outside that range
   */
  public RedisStores withTimeout(Duration limit) {
    StoreUrl.checkLimit("timeout", limit);
    return new RedisStores(
        open, options, where, limit, connectTimeout, replication.checked(limit), loss, push);
  }

  /**
   * Sets how many replicas must have a grant before it counts, and how long to wait for them. Too
   * few in time, and the grant is taken back.
   *
   * <p>The replicas' confirmation comes on the connection on which it was written, so the client
   * must never send a request again on another one: {@code
   * ClientOptions.builder().disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)}. A client
   * of Lettuce 6 is only taken if it does not reconnect by itself; connect by URL instead.
   *
   * @throws IllegalArgumentException if the number is negative, or the wait not shorter than a
   *     request may take, or if the client may send requests again after a reconnect; {@link #open}
   *     checks that once more
   */
  public RedisStores withReplicas(int replicas, Duration wait) {
    if (replicas > 0) {
      checkNothingIsReplayed();
    }
    return new RedisStores(
        open,
        options,
        where,
        timeout,
        connectTimeout,
        new Replication(replicas, wait).checked(timeout),
        loss,
        push);
  }

  /**
   * Sets what becomes of locks after the server has lost its memory. Default {@link AfterLoss#ASK}.
   */
  public RedisStores withAfterLoss(AfterLoss afterLoss) {
    return with(loss.with(Objects.requireNonNull(afterLoss, "afterLoss")));
  }

  /**
   * Sets for how long a server that was started without any record waits for clients from before,
   * with {@link AfterLoss#ASK}. Default 2 seconds.
   *
   * @throws IllegalArgumentException if shorter than a millisecond
   */
  public RedisStores withQuarantine(Duration limit) {
    return with(loss.with(limit));
  }

  private RedisStores with(LossRule rule) {
    return new RedisStores(open, options, where, timeout, connectTimeout, replication, rule, push);
  }

  /**
   * Does without {@code SUBSCRIBE}, for servers that don't offer it: clients that wait ask the
   * server again and again, at first after a few milliseconds and then up to a tenth of a second.
   */
  public RedisStores withoutPush() {
    return new RedisStores(open, options, where, timeout, connectTimeout, replication, loss, false);
  }

  @Override
  public Store open(StoreContext context) {
    if (replication.isNeeded()) {
      checkNothingIsReplayed();
    }
    Opening opening = new Opening(where, connectTimeout, () -> null, context.environment().time());
    return open.apply(new Opener(context, opening, timeout, replication, loss, push));
  }

  @Override
  public String describe() {
    return where;
  }

  /** Returns what can be added to an instant. */
  private static Duration connectTimeout(RedisURI uri) {
    Duration timeout = uri.getTimeout();
    return timeout.compareTo(LONGEST_CONNECT) > 0 ? LONGEST_CONNECT : timeout;
  }

  private static String describe(RedisURI uri) {
    if (uri.getSentinels().isEmpty()) {
      return uri.getSocket() == null
          ? "redis://" + new Address(uri.getHost(), uri.getPort())
          : "redis-socket://" + uri.getSocket();
    }
    return uri.getSentinels().stream()
        .map(sentinel -> new Address(sentinel.getHost(), sentinel.getPort()).toString())
        .collect(
            Collectors.joining(",", "redis-sentinel://", "?master=" + uri.getSentinelMasterId()));
  }

  /** The driver has to give up what was under way when a connection is lost. */
  private void checkNothingIsReplayed() {
    if (!DriverVersion.neverSendsAgain(options.get())) {
      throw new IllegalArgumentException(
          "a Redis client that sends requests again after a reconnect cannot tell what replicas"
              + " have: set its ClientOptions.disconnectedBehavior to"
              + " DisconnectedBehavior.REJECT_COMMANDS, with Lettuce 7, or connect by URL, or do"
              + " without replicas");
    }
  }

  private static void checkProtocol(ProtocolVersion version) {
    if (version != ProtocolVersion.RESP3) {
      throw new IllegalArgumentException(
          "the Redis client must speak RESP3 (ClientOptions.protocolVersion), is set to "
              + version);
    }
  }
}
