package io.lockkeeper.engine.runtime;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Quarantine;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs what an operator wants to know of one client: its start, outages of its store, and the
 * leases that it lost. The names of the loggers are documented.
 *
 * <p>Lines are written by the client's executor: a log may block, and a driver's thread must not.
 */
public final class ClientLog {

  /** The start of a client, and its connection. */
  private static final Logger CLIENT = System.getLogger("io.lockkeeper.client");

  /** The loggers of the leases; {@link LeaseLog} uses it too. */
  static final Logger LEASE = System.getLogger("io.lockkeeper.lease");

  /** Requests without an answer for so long, and no answer between them, are an outage. */
  private static final long OUTAGE_NANOS = 1_000_000_000;

  /** So many losses are warned of in each interval; the others are logged at DEBUG. */
  private static final int MOST_LOSSES = 20;

  private static final long INTERVAL_NANOS = 10_000_000_000L;

  private record Silence(long sinceNanos, AtomicBoolean told) {}

  /** Counts the losses of one interval. */
  private record Interval(long sinceNanos, int losses) {}

  private final ClientInfo self;
  private final Store store;
  private final LongSupplier time;
  private final BooleanSupplier closed;
  private final Executor executor;
  private final AtomicReference<@Nullable Silence> silence = new AtomicReference<>();
  private final AtomicReference<Interval> interval;

  ClientLog(
      ClientInfo self, Store store, LongSupplier time, BooleanSupplier closed, Executor executor) {
    this.self = self;
    this.store = store;
    this.time = time;
    this.closed = closed;
    this.executor = executor;
    this.interval = new AtomicReference<>(new Interval(time.getAsLong(), 0));
  }

  /** Logs that the client has started. */
  public void started(String place) {
    String version = Lockkeeper.class.getPackage().getImplementationVersion();
    CLIENT.log(
        Level.INFO,
        "Lockkeeper{0} client {1} uses {2}",
        version == null ? "" : " " + version,
        client(),
        place);
  }

  private void write(Logger logger, Level level, String line, Object... parts) {
    executor.execute(() -> log(logger, level, line, parts));
  }

  /** A method with a name: some formats of logs print it. */
  private static void log(Logger logger, Level level, String line, Object... parts) {
    logger.log(level, line, parts);
  }

  private String client() {
    return "'" + self.name() + "' (" + self.id() + ")";
  }

  /** Logs that work which is to run once in a period does not run for this reason. */
  public void notRun(String name, Quarantine quarantine) {
    write(CLIENT, Level.WARNING, "the work of ''{0}'' is skipped: {1}", name, quarantine.message());
  }

  /** Logs that a semaphore has another number of permits than this client gives. */
  public void otherLimit(String name, int inForce, int given) {
    write(
        CLIENT,
        Level.WARNING,
        "semaphore ''{0}'' has {1} permits, and not {2} as this client says: the first number"
            + " counts until nobody holds or waits for a permit, and setPermits changes it",
        name,
        inForce,
        given);
  }

  // ---------------------------------------------------------------- outages

  /** Returns whether the last request had no answer. */
  boolean isSilent() {
    return silence.get() != null;
  }

  /** Notes the outcome of a request. Costs one read while the store answers. */
  void heard(Outcome<?> outcome) {
    Silence before = silence.get();
    if (before == null && !(outcome instanceof Outcome.Unknown)) {
      return;
    }
    try {
      if (outcome instanceof Outcome.Unknown<?> unknown) {
        unanswered(before, unknown.cause());
      } else if (before != null && silence.compareAndSet(before, null) && before.told().get()) {
        Duration lasted = Duration.ofNanos(time.getAsLong() - before.sinceNanos());
        write(
            CLIENT,
            Level.INFO,
            "{0} answers client {1} again, after {2} s",
            store.describe(),
            client(),
            lasted.toSeconds());
      }
    } catch (Throwable unloggable) { // an error too: the outcome is still to be delivered
      silence.set(null);
    }
  }

  private void unanswered(@Nullable Silence before, Throwable cause) {
    if (closed.getAsBoolean() || (store instanceof LaterStore later && !later.isOpen())) {
      return; // no request is to be answered, or LaterStore logs why none is
    }
    long now = time.getAsLong();
    if (before == null) {
      silence.compareAndSet(null, new Silence(now, new AtomicBoolean()));
    } else if (now - before.sinceNanos() >= OUTAGE_NANOS
        && before.told().compareAndSet(false, true)) {
      write(
          CLIENT,
          Level.WARNING,
          "{0} does not answer client {1}: leases that it holds are not renewed and expire; requests"
              + " are tried again: {2}",
          store.describe(),
          client(),
          cause);
    }
  }

  // ---------------------------------------------------------------- losses

  /**
   * Logs the loss of a lease.
   *
   * @param thread the thread that acquired it, if one did
   */
  public void lost(LeaseLost loss, @Nullable Thread thread) {
    write(
        LEASE,
        level(loss),
        "{0}; held by {1}client {2}",
        loss,
        thread == null ? "" : "thread '" + thread.getName() + "' of ",
        client());
  }

  private Level level(LeaseLost loss) {
    if (loss.reason() == LeaseLost.Reason.CLIENT_CLOSED) {
      return Level.DEBUG; // somebody wanted it
    }
    long now = time.getAsLong();
    Interval counted =
        interval.updateAndGet(
            last ->
                now - last.sinceNanos() > INTERVAL_NANOS
                    ? new Interval(now, 1)
                    : new Interval(last.sinceNanos(), last.losses() + 1));
    if (counted.losses() == MOST_LOSSES + 1) {
      write(
          LEASE,
          Level.WARNING,
          "client {0} has lost more than {1} leases within 10 s; the next ones are logged at DEBUG",
          client(),
          MOST_LOSSES);
    }
    return counted.losses() > MOST_LOSSES ? Level.DEBUG : Level.WARNING;
  }
}
