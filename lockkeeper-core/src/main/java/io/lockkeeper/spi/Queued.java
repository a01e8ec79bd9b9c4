package io.lockkeeper.spi;

/**
 * The claim waits in the queue.
 *
 * @param storeMicros the store's clock at this answer, in microseconds; 0 where it has none
 * @param holderMicros when a lease will end that may let this claim in, in microseconds from now:
 *     the holder's, or of several the first; the heartbeat timeout if nobody holds anything
 * @param arrival the claim's place in the order of arrival: larger came later
 */
public record Queued(long storeMicros, long holderMicros, long arrival)
    implements ClaimAnswer, LookAnswer {}
