package io.lockkeeper.spi;

/**
 * A store's answer to a renewal.
 *
 * @param renewed whether the grant was current and not over, and now has its new end
 * @param othersWait whether claims of other clients wait; always false for shared resources
 */
public record RenewAnswer(boolean renewed, boolean othersWait) {}
