package io.lockkeeper.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A holder's own wish for more time, which rides on the next renewal.
 *
 * @param hold whose
 * @param leaseNanos how long the lease shall last from the sending
 * @param done completes normally when it was renewed, else with the reason
 */
record ManualRenewal(Hold hold, long leaseNanos, CompletableFuture<Void> done) {

  /** Returns the longest time that is wished for, or 0. */
  static long longest(List<ManualRenewal> wishes) {
    return wishes.stream().mapToLong(ManualRenewal::leaseNanos).max().orElse(0);
  }
}
