package io.lockkeeper.spi;

/**
 * Which cell.
 *
 * @param kind what it is for
 * @param name the name that the user chose
 */
public record CellId(CellKind kind, String name) {}
