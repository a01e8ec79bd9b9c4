package io.lockkeeper.etcd;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.options.GetOption;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.spi.support.StoreUrl;
import io.lockkeeper.spi.support.TlsFiles;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores over a jetcd client that the application already has, for {@link
 * io.lockkeeper.LockkeeperBuilder#connect(StoreFactory)}.
 *
 * <pre>{@code
 * Client client = Client.builder().endpoints("http://localhost:2379").build();
 * Lockkeeper keeper = Lockkeeper.builder().connect(EtcdStores.from(client));
 * }</pre>
 *
 * <p>The client stays the application's to close. Its settings apply.
 *
 * <p>Immutable; each {@code with} method returns a changed copy.
 */
public final class EtcdStores implements StoreFactory {

  /** How long an idle connection goes unchecked. etcd lets nobody ask more often by default. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

  /** Larger than any answer: so many values of a megabyte are read together, in base 64. */
  private static final int LARGEST_ANSWER = 64 << 20;

  /**
   * A client.
   *
   * @param threads what it runs on, and ends with it; null if it is the application's
   */
  private record Connection(Client client, @Nullable Vertx threads) {}

  private final Supplier<Connection> connection;
  private final EtcdOptions options;

  /**
   * The clock of all clients of this. Not that of their environment, which may run ahead: others'
   * leases would be taken for over too early.
   */
  private final RecordClock clock = clock();

  private EtcdStores(Supplier<Connection> connection, EtcdOptions options) {
    this.connection = connection;
    this.options = options;
  }

  /**
   * The clock of a process. etcd has no clock that a client can read, so the calendar is its
   * machine's.
   */
  static RecordClock clock() {
    return RecordClock.own(System::nanoTime)
        .withCalendar(() -> MILLISECONDS.toNanos(System.currentTimeMillis()));
  }

  /** Returns stores over a client, with keys that begin with {@code lockkeeper/}. */
  public static EtcdStores from(Client client) {
    Objects.requireNonNull(client, "client");
    return over(client, EtcdOptions.of("etcd, over the application's client"));
  }

  /** Returns stores over a client that is not closed with them. */
  static EtcdStores over(Client client, EtcdOptions options) {
    return new EtcdStores(() -> new Connection(client, null), options);
  }

  static EtcdStores of(EtcdSettings settings) {
    return new EtcdStores(() -> connection(settings), settings.options());
  }

  /** Sets what all keys begin with; a slash is put behind it. Default: {@code lockkeeper}. */
  public EtcdStores withPrefix(String prefix) {
    return new EtcdStores(connection, options.withPrefix(EtcdUrl.prefix(prefix)));
  }

  /** Sets the time limit of a request, from 1 millisecond to 24 hours. Default: 3 seconds. */
  public EtcdStores withTimeout(Duration timeout) {
    StoreUrl.checkLimit("timeout", timeout);
    return new EtcdStores(connection, options.withTimeout(timeout));
  }

  /**
   * Sets after what time the servers take a silent client for dead, so that what it waits for is
   * passed on: from 2 seconds to 10 minutes. Default: 10 seconds.
   */
  public EtcdStores withSessionTimeout(Duration sessionTimeout) {
    return new EtcdStores(connection, options.withSessionTimeout(EtcdUrl.session(sessionTimeout)));
  }

  static Client connect(EtcdSettings settings) {
    return connection(settings).client();
  }

  private static Connection connection(EtcdSettings settings) {
    EtcdOptions options = settings.options();
    ClientBuilder builder =
        Client.builder()
            .endpoints(settings.endpoints().toArray(String[]::new))
            .connectTimeout(options.connectTimeout())
            .keepaliveTime(KEEP_ALIVE)
            .keepaliveTimeout(options.timeout())
            .maxInboundMessageSize(LARGEST_ANSWER)
            // All servers, so that one that stands still is not the only one that is asked.
            .loadBalancerPolicy("round_robin")
            .waitForReady(false);
    if (!settings.user().isEmpty()) {
      builder.user(EtcdKeys.bytes(settings.user())).password(EtcdKeys.bytes(settings.password()));
    }
    TlsFiles tls = settings.tls();
    if (tls != null) {
      try {
        builder.sslContext(new EtcdTls(tls));
      } catch (IOException | IllegalArgumentException e) {
        throw new StoreUnavailableException(
            "cannot connect to " + options.describe() + ": " + e.getMessage(), e);
      }
    }
    Vertx threads = oneThread();
    return new Connection(builder.vertx(threads).build(), threads);
  }

  /**
   * Makes one thread send and read all, instead of two for each processor: a client has one
   * connection to each server, and the thread ends with it.
   */
  static Vertx oneThread() {
    return Vertx.vertx(
        new VertxOptions()
            .setUseDaemonThread(true)
            .setEventLoopPoolSize(1)
            .setInternalBlockingPoolSize(1));
  }

  @Override
  public Store open(StoreContext context) {
    Connection opened = connection.get();
    Client client = opened.client();
    Vertx threads = opened.threads();
    boolean isOpen = false;
    try {
      check(client, options);
      EtcdRecordStore records =
          new EtcdRecordStore(client, threads != null, options, context, clock);
      Store store = new RecordBasedStore(records, context, options.timeout());
      isOpen = true;
      return threads == null ? store : new OwningStore(store, records.ended(), threads);
    } finally {
      if (!isOpen && threads != null) {
        Answers.uninterrupted(client::close);
      }
    }
  }

  /** Asks the servers something, to see whether they answer. */
  static void check(Client opened, EtcdOptions options) {
    GetOption one = GetOption.builder().isPrefix(true).withCountOnly(true).build();
    Answers.first(
        opened
            .getKVClient()
            .get(new EtcdKeys(options.prefix()).head(""), one)
            .thenApply(Outcome::answered)
            .exceptionally(options::outcome),
        options.connectTimeout(),
        options.describe());
  }
}
