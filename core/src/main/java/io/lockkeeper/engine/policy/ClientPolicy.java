package io.lockkeeper.engine.policy;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.Timings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chooses for one client: its settings and the fixed numbers of the protocol, in one place. */
public final class ClientPolicy implements Policy {

  private static final Duration FOR_EVER = Duration.ofNanos(Instants.NEVER);
  private static final long FIRST_BACKOFF_NANOS = 20_000_000;
  private static final int MAX_DOUBLINGS = 6;
  private static final long MIN_RENEW_RETRY_NANOS = 10_000_000;
  private static final long MAX_RENEW_RETRY_NANOS = 1_000_000_000;

  /** How often a waiting client looks at a store that pushes, whatever it has been told. */
  private static final long LOOK_NANOS = 1_000_000_000;

  /** How soon and how seldom it looks at one that does not. */
  private static final long FIRST_POLL_NANOS = 4_000_000;

  private static final long MAX_POLL_NANOS = 100_000_000;

  /** Into how many slots a renewal interval is divided, to bring renewals together. */
  private static final int RENEWAL_SLOTS = 8;

  /** Which part of the claim deadline a holder may use before its grant is confirmed. */
  private static final int CONFIRM_PART = 8;

  private final ClientConfig config;
  private final Environment environment;
  private final Supplier<StoreTraits> traits;
  private final Timings timings;
  private final Supplier<String> store;
  private final BooleanSupplier silence;
  private final long patienceNanos;
  private final AtomicLong claims = new AtomicLong();

  /**
   * Creates it.
   *
   * @param traits the store's, as far as they are known yet
   * @param store how the store describes itself
   * @param silence whether the last request had no answer
   */
  public ClientPolicy(
      ClientConfig config,
      Environment environment,
      Supplier<StoreTraits> traits,
      Timings timings,
      Supplier<String> store,
      BooleanSupplier silence) {
    this.config = config;
    this.environment = environment;
    this.traits = traits;
    this.timings = timings;
    this.store = store;
    this.silence = silence;
    this.patienceNanos = nanos(config.storeTimeout());
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(FOR_EVER) >= 0 ? Instants.NEVER : duration.toNanos();
  }

  @Override
  public boolean isStoreSilent() {
    return silence.getAsBoolean();
  }

  @Override
  public long nextClaim() {
    return claims.incrementAndGet();
  }

  @Override
  public long patienceNanos() {
    return patienceNanos;
  }

  @Override
  public long backoffNanos(int failures) {
    return jitter(FIRST_BACKOFF_NANOS << Math.min(failures, MAX_DOUBLINGS));
  }

  @Override
  public long jitter(long nanos) {
    return nanos * 3 / 4 + environment.random().nextLong(nanos / 2 + 1);
  }

  @Override
  public long renewalAfter(long nowNanos, long validUntilNanos, long leaseNanos) {
    long sinceNanos = validUntilNanos + ClockDrift.margin(leaseNanos) - leaseNanos;
    long intervalNanos = (long) (leaseNanos * config.renewalRatio());
    long slotNanos = Math.max(1, intervalNanos / RENEWAL_SLOTS);
    long due = (sinceNanos + intervalNanos) / slotNanos * slotNanos;
    return Math.max(nowNanos, due);
  }

  @Override
  public long renewRetryNanos(long validUntilNanos) {
    long left = validUntilNanos - environment.time().nanos();
    return Math.max(MIN_RENEW_RETRY_NANOS, Math.min(MAX_RENEW_RETRY_NANOS, left / 8));
  }

  @Override
  public long confirmAfterNanos() {
    return timings.claimDeadlineMillis() * 1_000_000 / CONFIRM_PART;
  }

  @Override
  public boolean confirmsHandOver() {
    return traits.get().confirmsHandOver();
  }

  @Override
  public long pollAfterNanos(int polls) {
    return jitter(
        traits.get().pushes()
            ? LOOK_NANOS
            : Math.min(MAX_POLL_NANOS, FIRST_POLL_NANOS << Math.min(polls, MAX_DOUBLINGS)));
  }

  @Override
  public boolean hearsOthers() {
    return traits.get().pushes();
  }

  @Override
  public StoreUnavailableException unavailable(String message, @Nullable Throwable cause) {
    String reason = cause == null ? null : cause.getMessage();
    return new StoreUnavailableException(
        message + " (" + store.get() + ")" + (reason == null ? "" : ": " + reason), cause);
  }
}
