package io.lockkeeper.spi;

/**
 * The protocol's time limits, the same for every client of a store.
 *
 * @param heartbeatMillis how long a waiting claim lives without a sign of life from its client
 * @param claimDeadlineMillis how long a grant out of the queue lasts until its client confirms it
 * @param tombstoneMillis how long a resource's token is kept after its last use, if the store does
 *     not keep it for ever; a backward step of the store's clock of up to this much cannot make
 *     tokens fall
 */
public record Timings(long heartbeatMillis, long claimDeadlineMillis, long tombstoneMillis) {

  /** The limits in use: 5 seconds, 1 second, 1 minute. */
  public static final Timings DEFAULT = new Timings(5_000, 1_000, 60_000);
}
