package io.lockkeeper.engine;

import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads of cells that go out together, a hundred to a request. */
final class CellReads {

  private static final int MAX_SIZE = 100;

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
  static void send(Store store, List<Item> items) {
    for (int from = 0; from < items.size(); from += MAX_SIZE) {
      sendPart(store, items.subList(from, Math.min(items.size(), from + MAX_SIZE)));
    }
  }

  private static void sendPart(Store store, List<Item> part) {
    CompletionStage<List<Outcome<CellState>>> stage;
    try {
      stage = store.read(part.stream().map(Item::read).toList());
    } catch (Throwable broken) { // an error too: it must not stop the pulse
      deliver(part, null, broken);
      return;
    }
    stage.whenComplete((outcomes, broken) -> deliver(part, outcomes, broken));
  }

  private static void deliver(
      List<Item> part, @Nullable List<Outcome<CellState>> outcomes, @Nullable Throwable broken) {
    for (int i = 0; i < part.size(); i++) {
      Item item = part.get(i);
      Outcome<CellState> outcome =
          outcomes != null && i < outcomes.size()
              ? outcomes.get(i)
              : Outcome.unknown(
                  broken != null ? broken : new IllegalStateException("too few answers"));
      item.gate().readAnswered(item.number(), outcome);
    }
  }
}
