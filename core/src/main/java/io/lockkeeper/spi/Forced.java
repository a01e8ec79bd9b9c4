package io.lockkeeper.spi;

/**
 * A store's answer to a forced release.
 *
 * @param wasHeld whether a grant was current and its lease not over
 */
public record Forced(boolean wasHeld) {}
