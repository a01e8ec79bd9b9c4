package io.lockkeeper.spi;

/**
 * A request to read a cell.
 *
 * @param cell the cell to read
 * @param watch whether this client is to be notified of the next change; if not, it is no longer
 *     notified
 * @param knownVersion the version that the client already has, whose value need not be sent again;
 *     0 for none
 */
public record CellRead(CellId cell, boolean watch, long knownVersion) {}
