package io.lockkeeper.dynamodb;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.spi.support.StoreUrl;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/**
 * Stores over a DynamoDB client that the application already has, for {@link
 * io.lockkeeper.LockkeeperBuilder#connect(StoreFactory)}.
 *
 * <pre>{@code
 * DynamoDbAsyncClient client =
 *     DynamoDbAsyncClient.builder()
 *         .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
 *         .build();
 * Lockkeeper keeper = Lockkeeper.builder().connect(DynamoDbStores.from(client, "lockkeeper"));
 * }</pre>
 *
 * <p>The client stays the application's to close. Its settings apply.
 *
 * <p>Immutable; each {@code with} method returns a changed copy.
 */
public final class DynamoDbStores implements StoreFactory {

  /**
   * A client, and what ends it.
   *
   * @param client the client
   * @param end ends it, unless it is the application's
   */
  record Connection(DynamoDbAsyncClient client, Runnable end) {}

  private final Supplier<Connection> connection;
  private final String table;
  private final String where;
  private final Duration timeout;
  private final Duration connectTimeout;

  /**
   * The clock of all clients of this. Not that of their environment, which may run ahead: others'
   * leases would be taken for over too early.
   */
  private final RecordClock clock = RecordClock.own(System::nanoTime);

  private DynamoDbStores(
      Supplier<Connection> connection,
      String table,
      String where,
      Duration timeout,
      Duration connectTimeout) {
    this.connection = connection;
    this.table = table;
    this.where = where;
    this.timeout = timeout;
    this.connectTimeout = connectTimeout;
  }

  /**
   * Returns stores over a client.
   *
   * @param client one that never repeats a request: a write that is repeated may find its own first
   *     attempt, and take it for another client's
   * @param table the name of the table
   * @throws IllegalArgumentException if the client repeats requests, or there can be no such table
   */
  public static DynamoDbStores from(DynamoDbAsyncClient client, String table) {
    int attempts =
        client
            .serviceClientConfiguration()
            .overrideConfiguration()
            .retryStrategy()
            .map(RetryStrategy::maxAttempts)
            .orElse(Integer.MAX_VALUE);
    if (attempts > 1) {
      throw new IllegalArgumentException(
          "the client must not repeat requests, because Lockkeeper does that: build it with"
              + " overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))");
    }
    return new DynamoDbStores(
        () -> new Connection(client, () -> {}),
        DynamoDbUrl.table(table),
        "DynamoDB table " + table + ", over the application's client",
        DynamoDbUrl.TIMEOUT,
        DynamoDbUrl.CONNECT_TIMEOUT);
  }

  static DynamoDbStores of(DynamoDbUrl url) {
    return new DynamoDbStores(
        () -> connect(url), url.table(), url.toString(), url.timeout(), url.connectTimeout());
  }

  /** Sets the time limit of a request, from 1 millisecond to 24 hours. Default: 3 seconds. */
  public DynamoDbStores withTimeout(Duration newTimeout) {
    StoreUrl.checkLimit("timeout", newTimeout);
    return new DynamoDbStores(connection, table, where, newTimeout, connectTimeout);
  }

  /** Returns a client of its own, with one thread that sends and receives. */
  @SuppressWarnings({
    "deprecation", // the driver knows no newer kind of group
    "FutureReturnValueIgnored" // nobody waits for the end
  })
  static Connection connect(DynamoDbUrl url) {
    EventLoopGroup thread =
        new NioEventLoopGroup(1, new DefaultThreadFactory("lockkeeper-dynamodb", true));
    DynamoDbAsyncClientBuilder builder =
        DynamoDbAsyncClient.builder()
            .region(Region.of(url.region()))
            .httpClientBuilder(
                NettyNioAsyncHttpClient.builder()
                    .eventLoopGroup(SdkEventLoopGroup.create(thread))
                    .connectionTimeout(url.timeout()))
            .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
            // What is done with an answer is short.
            .asyncConfiguration(
                o ->
                    o.advancedOption(
                        SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run));
    if (url.endpoint() != null) {
      builder.endpointOverride(url.endpoint());
    }
    DynamoDbAsyncClient client = builder.build();
    return new Connection(
        client,
        () -> {
          client.close();
          thread.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        });
  }

  @Override
  public String describe() {
    return where;
  }

  @Override
  public Store open(StoreContext context) {
    return new RecordBasedStore(records(context), context, timeout);
  }

  /** Returns a client's way to the records, once the table has answered. */
  RecordStore records(StoreContext context) {
    DynamoDbRecordStore records =
        new DynamoDbRecordStore(connection.get(), table, where, timeout, context, clock);
    boolean isOpen = false;
    try {
      Answers.first(records.greet(), connectTimeout, where);
      isOpen = true;
      return records;
    } finally {
      if (!isOpen) {
        records.close();
      }
    }
  }
}
