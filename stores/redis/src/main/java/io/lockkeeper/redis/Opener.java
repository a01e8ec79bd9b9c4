package io.lockkeeper.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.support.ClientEntry;
import io.netty.util.Timer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens a store over a driver: connects, subscribes, and has the server learn the scripts. */
final class Opener {

  private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

  private final StoreContext context;
  private final String where;
  private final Duration timeout;
  private final Replication replication;
  private final LossRule loss;
  private final Opening opening;
  private final PushListener pushes;
  private @Nullable Greeter greeter;
  private final List<CompletableFuture<? extends StatefulConnection<byte[], byte[]>>> connections =
      new ArrayList<>();

  /**
   * Begins.
   *
   * @param opening limits all that is done here
   * @param timeout of a call
   * @param push whether to hear what the servers publish
   */
  Opener(
      StoreContext context,
      Opening opening,
      Duration timeout,
      Replication replication,
      LossRule loss,
      boolean push) {
    this.context = context;
    this.timeout = timeout;
    this.replication = replication;
    this.loss = loss;
    this.pushes = new PushListener(push);
    this.opening = opening;
    this.where = opening.where();
  }

  /**
   * Opens a store on one server, or on the server that Sentinels name.
   *
   * @param refusals how the latest connection ended that a server refused, if that is known
   * @param close closes what the store uses; called here if opening fails
   */
  Store single(
      RedisClient client, RedisURI uri, Supplier<@Nullable Throwable> refusals, Runnable close) {
    try {
      StatefulRedisPubSubConnection<byte[], byte[]> hearing =
          connect(client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri));
      if (pushes.areOn()) {
        subscribe(hearing);
      }
      introduce(hearing);
      StatefulRedisConnection<byte[], byte[]> calling =
          replication.isNeeded()
              ? connect(client.connectAsync(ByteArrayCodec.INSTANCE, uri))
              : hearing;
      waitForReplicas(calling);
      Limits limits = new Limits(where, context.timings(), loss, replication);
      Timer timer = client.getResources().timer();
      if (loss.grantsAtOnce()) {
        loadScripts(calling);
      } else {
        limits.asksFor(context.leaseMillis());
        greet(calling, greeter(client, uri, limits, timer));
      }
      Runnable closeAll = () -> close(close);
      Link link = new SingleLink(calling, replication, where, timer, closeAll);
      return store(link, limits, refusals);
    } catch (RuntimeException e) {
      close(close);
      throw e;
    }
  }

  private Store store(Link link, Limits limits, Supplier<@Nullable Throwable> refusals) {
    return new RedisStore(
        context,
        link,
        pushes,
        timeout,
        replication,
        limits,
        () -> Failure.ofConnecting(where, refusals.get()));
  }

  private void close(Runnable close) {
    if (greeter != null) {
      greeter.close();
    }
    close.run();
  }

  /**
   * Opens a store on a cluster.
   *
   * @param refusals as with {@link #single}
   * @param close as with {@link #single}
   */
  Store cluster(RedisClusterClient client, Supplier<@Nullable Throwable> refusals, Runnable close) {
    try {
      opening.await(client.refreshPartitionsAsync());
      StatefulRedisClusterConnection<byte[], byte[]> calling =
          connect(client.connectAsync(ByteArrayCodec.INSTANCE));
      for (Address master : ClusterLink.masters(calling)) {
        // A call to a node that is not connected yet would be refused by the driver.
        StatefulRedisConnection<byte[], byte[]> node =
            opening.await(calling.getConnectionAsync(master.host(), master.port()));
        loadScripts(node);
        waitForReplicas(node);
      }
      SetupCall<String> name = name();
      calling.dispatch(name);
      awaitUnlessRefused(name);
      if (pushes.areOn()) {
        subscribe(connect(client.connectPubSubAsync(ByteArrayCodec.INSTANCE)));
      }
      Link link = new ClusterLink(client, calling, replication, where, close);
      Limits limits = Limits.ofCluster(where, context.timings(), replication);
      return store(link, limits, refusals);
    } catch (RuntimeException e) {
      close.run();
      throw e;
    }
  }

  /** Returns how a connection ends that is made to see it. */
  TrialConnection trial(
      Supplier<? extends CompletionStage<? extends StatefulConnection<?, ?>>> connecting) {
    return new TrialConnection(connecting, context.environment().time());
  }

  private <C extends StatefulConnection<byte[], byte[]>> C connect(CompletionStage<C> connecting) {
    CompletableFuture<C> connection = connecting.toCompletableFuture();
    connections.add(connection);
    return opening.await(connection);
  }

  private void subscribe(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
    connection.addListener(pushes);
    byte[] channel = new Keyspace(context.namespace()).channel(context.clientId());
    SetupCall<byte[]> subscription = SetupCall.subscribe(channel);
    connection.dispatch(subscription);
    SetupCall<Reply> publication = SetupCall.publish(channel, PushListener.TRIAL);
    connection.dispatch(publication);
    opening.await(subscription.result);
    opening.await(pushes.subscribed);
    opening.await(publication.result); // scripts go on without: it would only be slow
  }

  /** Finds out whether replicas can be waited for: an answer that is an error confirms nothing. */
  private void waitForReplicas(StatefulRedisConnection<byte[], byte[]> connection) {
    if (replication.isNeeded()) {
      SetupCall<Reply> wait = SetupCall.waitForNone();
      connection.dispatch(wait);
      opening.await(wait.result);
    }
  }

  /** Writes down who this client is. It is no harm if that is refused. */
  private SetupCall<String> name() {
    return SetupCall.set(
        new Keyspace(context.namespace()).client(context.clientId()),
        ClientEntry.bytes(context.client()),
        Directory.KEEP.toMillis());
  }

  private void awaitUnlessRefused(SetupCall<String> call) {
    try {
      opening.await(call.result);
    } catch (StoreRefusedException refused) {
      LOG.log(Level.DEBUG, "the name of this client will not be known to others", refused);
    }
  }

  private void introduce(StatefulRedisConnection<byte[], byte[]> connection) {
    SetupCall<String> name = name();
    connection.dispatch(name);
    awaitUnlessRefused(name);
  }

  private Greeter greeter(RedisClient client, RedisURI uri, Limits limits, Timer timer) {
    Greeter made =
        new Greeter(
            new Keyspace(context.namespace()).mark(),
            context.clientId(),
            limits,
            timer,
            client instanceof LeanClient || loss.afterLoss() != AfterLoss.ASK
                ? null
                : () -> client.connectAsync(ByteArrayCodec.INSTANCE, uri));
    greeter = made;
    return made;
  }

  /**
   * Learns which server this is and whether its memory may have gaps. That is forgotten when the
   * connection is gone, before the driver makes another, and learned anew over that one.
   *
   * <p>A server that knows the script that does it was given the others too, by an earlier client:
   * to load them takes most of the time that it takes to connect. Should it have lost one of them,
   * {@link ScriptCalls} loads them all again when it is called.
   */
  private void greet(StatefulRedisConnection<byte[], byte[]> connection, Greeter greeting) {
    connection.addListener(greeting);
    boolean isKnown =
        opening.await(
            greeting
                .greet(connection, false)
                .thenApply(learned -> true)
                .exceptionallyCompose(Opener::falseIfScriptIsMissing));
    if (!isKnown) {
      loadScripts(connection);
      opening.await(greeting.greet(connection, false));
    }
  }

  private static CompletableFuture<Boolean> falseIfScriptIsMissing(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return Failure.isScriptMissing(String.valueOf(cause.getMessage()))
        ? CompletableFuture.completedFuture(false)
        : CompletableFuture.failedFuture(cause);
  }

  private void loadScripts(StatefulRedisConnection<byte[], byte[]> connection) {
    List<String> names = ScriptLoader.load(connection).stream().map(opening::await).toList();
    List<String> expected = Script.ALL.stream().map(Script::sha).toList();
    if (!names.equals(expected)) {
      throw new IllegalStateException("the server calls the scripts " + names);
    }
  }

  /**
   * Closes what was opened here and leaves the driver open. Waits for it, because the driver warns
   * of connections that are not yet closed when the application shuts it down right after this.
   */
  void closeConnections() {
    List<CompletableFuture<Void>> closing = new ArrayList<>();
    for (CompletableFuture<? extends StatefulConnection<byte[], byte[]>> connection : connections) {
      boolean isMade = connection.isDone();
      // One that is still being made closes as soon as it is.
      CompletableFuture<Void> closed = connection.thenCompose(StatefulConnection::closeAsync);
      if (isMade) {
        closing.add(closed);
      }
    }
    OwnClient.awaitUninterruptibly(
        CompletableFuture.allOf(closing.toArray(CompletableFuture<?>[]::new)),
        context.environment().time());
  }
}
