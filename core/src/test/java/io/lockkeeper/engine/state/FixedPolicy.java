package io.lockkeeper.engine.state;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.policy.Policy;

/** A policy without jitter, on round numbers. */
final class FixedPolicy implements Policy {

  private static final long MILLI = 1_000_000;

  boolean confirmsHandOver;
  private long claims;

  @Override
  public boolean isStoreSilent() {
    return false;
  }

  @Override
  public long nextClaim() {
    return ++claims;
  }

  @Override
  public long patienceNanos() {
    return 30_000 * MILLI;
  }

  @Override
  public long backoffNanos(int failures) {
    return 20 * MILLI;
  }

  @Override
  public long jitter(long nanos) {
    return nanos;
  }

  @Override
  public long renewalAfter(long nowNanos, long validUntilNanos, long leaseNanos) {
    return nowNanos + leaseNanos / 3;
  }

  @Override
  public long renewRetryNanos(long validUntilNanos) {
    return 100 * MILLI;
  }

  @Override
  public long confirmAfterNanos() {
    return 125 * MILLI;
  }

  @Override
  public boolean confirmsHandOver() {
    return confirmsHandOver;
  }

  @Override
  public long pollAfterNanos(int polls) {
    return 1_000 * MILLI;
  }

  @Override
  public boolean hearsOthers() {
    return true;
  }

  @Override
  public StoreUnavailableException unavailable(String message, Throwable cause) {
    return new StoreUnavailableException(message, cause);
  }
}
