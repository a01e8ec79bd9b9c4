package io.lockkeeper.lab.oversell;

/**
 * What came of an order that was dealt with.
 *
 * @param sold whether a piece was left
 */
public record Sale(boolean sold) {}
