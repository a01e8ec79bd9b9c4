package io.lockkeeper.spi;

/**
 * The claim waits in the queue.
 *
 * @param storeMicros the store's clock at this answer, in microseconds; 0 where it has none
 * @param holderMicros how long the current holder's lease still lasts, in microseconds
 * @param arrival the claim's place in the order of arrival: larger came later
 */
public record Queued(long storeMicros, long holderMicros, long arrival)
    implements ClaimAnswer, LookAnswer {}
