package io.lockkeeper.engine.state;

import io.lockkeeper.spi.CellUpdate;
import java.util.List;

/**
 * Represents the changes of one register that are asked of the store together, until it has
 * answered.
 *
 * @param update the request, the same however often it is sent
 * @param changes the changes in it, in their order
 * @param firstSentNanos when it was first sent
 */
public record RegisterBatch(CellUpdate update, List<RegisterChange> changes, long firstSentNanos) {}
