package io.lockkeeper.spi;

/**
 * The claim waits in the queue.
 *
 * @param storeMicros the store's clock at this answer, in microseconds; 0 where it has none
 * @param holderMicros the time in microseconds until a lease ends, after which this claim may be
 *     admitted: the holder's, or the first to end of several; the heartbeat timeout if nobody holds
 *     anything
 * @param arrival the claim's place in the order of arrival: larger came later
 */
public record Queued(long storeMicros, long holderMicros, long arrival)
    implements ClaimAnswer, PollAnswer {}
