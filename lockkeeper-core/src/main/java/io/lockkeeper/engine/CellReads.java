package io.lockkeeper.engine;

import io.lockkeeper.spi.CellRead;
import java.util.List;

/** Reads of cells that go out together. */
final class CellReads {

  private CellReads() {}

  /**
   * A read of one cell.
   *
   * @param gate who hears the answer
   * @param read the question
   * @param number its number there
   */
  record Item(CellGate gate, CellRead read, long number) {}

  /** Sends them side by side; each gets its own outcome. */
  static void send(Engine engine, List<Item> items) {
    StoreCalls.tellEach(
        engine::reportFailure,
        items,
        item -> item.gate().id.name(),
        part -> engine.store().read(part.stream().map(Item::read).toList()),
        (item, outcome) -> item.gate().readAnswered(item.number(), outcome));
  }
}
