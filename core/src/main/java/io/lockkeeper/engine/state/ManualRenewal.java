package io.lockkeeper.engine.state;

import java.util.List;

/**
 * Carries a holder's own wish for more time, which rides on the next renewal.
 *
 * @param leaseNanos how long the lease shall last from the sending
 * @param completion hears when it was renewed, or why not
 */
public record ManualRenewal(long leaseNanos, Completion completion) {

  /** Returns the longest time that is wished for, or 0. */
  static long longest(List<ManualRenewal> wishes) {
    return wishes.stream().mapToLong(ManualRenewal::leaseNanos).max().orElse(0);
  }
}
