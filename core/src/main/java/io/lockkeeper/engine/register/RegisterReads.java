package io.lockkeeper.engine.register;

import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Gathers reads of registers, to send them together. */
final class RegisterReads {

  private record Item(CellRead read, Consumer<Outcome<CellState>> receiver) {

    String name() {
      return read.cell().name();
    }
  }

  private final List<Item> items = new ArrayList<>();

  /** Adds a read. */
  void add(CellRead read, Consumer<Outcome<CellState>> receiver) {
    items.add(new Item(read, receiver));
  }

  /** Sends them side by side; each gets its own outcome. */
  void send(ClientRuntime runtime) {
    StoreCalls.tellEach(
        runtime,
        items,
        Item::name,
        part -> runtime.store().read(part.stream().map(Item::read).toList()),
        (item, outcome) -> item.receiver().accept(outcome));
  }
}
