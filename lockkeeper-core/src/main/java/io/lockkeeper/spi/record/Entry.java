package io.lockkeeper.spi.record;

/**
 * A part of a record that is changed by itself, and has its place among the others.
 *
 * @param name a name of its own in the record: ASCII letters, digits and {@code / -}
 * @param text what it holds
 */
public record Entry(String name, String text) {}
