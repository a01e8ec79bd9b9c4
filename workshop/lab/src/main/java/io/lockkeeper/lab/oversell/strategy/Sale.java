package io.lockkeeper.lab.oversell.strategy;

/**
 * What came of an order that was dealt with.
 *
 * @param sold whether a piece was left
 * @param turnNanos when the critical section began, or the attempt that succeeded, by {@link
 *     System#nanoTime}
 */
public record Sale(boolean sold, long turnNanos) {}
