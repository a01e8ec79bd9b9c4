package io.lockkeeper.spi;

/**
 * A question what a cell holds.
 *
 * @param cell which cell
 * @param watch whether this client is to be told of the next change; if not, it is not told any
 *     more
 * @param knownVersion the version whose value the client has, so that it need not be sent again; 0
 *     for none
 */
public record CellRead(CellId cell, boolean watch, long knownVersion) {}
