package io.lockkeeper.spi;

/**
 * What a forced release found.
 *
 * @param wasHeld whether a grant was current and its lease not over
 */
public record Forced(boolean wasHeld) {}
