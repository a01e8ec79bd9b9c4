package io.lockkeeper.spi.rule;

import org.jspecify.annotations.Nullable;

/**
 * The record that a store keeps of a lock, besides its queue.
 *
 * @param holder the grant; null if there is none
 * @param lastToken the largest token of the latest grant, less what its holder gave back; 0 at
 *     first
 */
public record LockRecord(@Nullable LockGrant holder, long lastToken) {

  /** A lock that was never held. */
  public static final LockRecord NEW = new LockRecord(null, 0);
}
