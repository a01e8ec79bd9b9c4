package io.lockkeeper.engine;

import io.lockkeeper.spi.CellUpdate;
import java.util.List;

/**
 * The changes of one cell that are asked of the store together, until it has answered.
 *
 * @param update the request, the same however often it is sent
 * @param tasks who wants its changes, in their order
 * @param firstSentNanos when it was first sent
 */
record CellBatch(CellUpdate update, List<CellTask> tasks, long firstSentNanos) {}
