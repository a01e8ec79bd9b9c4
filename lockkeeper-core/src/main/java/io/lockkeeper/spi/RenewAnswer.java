package io.lockkeeper.spi;

/**
 * What a store answers to a renewal.
 *
 * @param renewed whether the grant was current and not over, and now has its new end
 * @param othersWait whether claims of other clients wait; false for what is shared, where it is not
 *     asked
 */
public record RenewAnswer(boolean renewed, boolean othersWait) {}
