package io.lockkeeper.memory;

import io.lockkeeper.spi.CellId;

/**
 * A cell as the server has it at one moment.
 *
 * @param namespace its namespace
 * @param cell which one
 * @param isPresent whether it is there
 * @param isWatched whether a client watches it
 */
public record CellSnapshot(String namespace, CellId cell, boolean isPresent, boolean isWatched) {}
