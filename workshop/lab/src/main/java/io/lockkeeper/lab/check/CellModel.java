package io.lockkeeper.lab.check;

import io.lockkeeper.lab.check.Linearizer.Operation;
import java.util.OptionalLong;

/** What a counter or a latch is when nothing happens at the same time. */
enum CellModel {
  /** A number that begins at 0. */
  COUNTER(0) {
    @Override
    OptionalLong step(long state, Operation operation) {
      return switch (operation.name()) {
        case "get" -> expect(operation, state, state);
        case "add" -> expect(operation, state + operation.argument(), state + operation.argument());
        case "set" -> OptionalLong.of(operation.argument());
        case "raise" -> {
          long raised = Math.max(state, operation.argument());
          yield expect(operation, raised, raised);
        }
        default -> wiped(operation, 0);
      };
    }
  },
  /** How often it has still to be counted down; {@value #UNSET} if it is not set. */
  LATCH(CellModel.UNSET) {
    @Override
    OptionalLong step(long state, Operation operation) {
      boolean set = state != UNSET;
      return switch (operation.name()) {
        case "set" -> expect(operation, set ? 0 : 1, set ? state : operation.argument());
        case "down" -> expect(operation, set ? 1 : 0, set ? Math.max(0, state - 1) : state);
        case "get" -> expect(operation, state, state);
        case "await" -> state == 0 ? OptionalLong.of(state) : OptionalLong.empty();
        default -> wiped(operation, UNSET);
      };
    }
  };

  /** The name of what happens to a cell when the store loses its memory. */
  static final String WIPE = "wipe";

  private static final long UNSET = -1;

  private final long initial;

  CellModel(long initial) {
    this.initial = initial;
  }

  /** Returns what it is before anybody has touched it. */
  long initial() {
    return initial;
  }

  /** Returns what an operation makes of it; empty if it could not have returned what it did. */
  abstract OptionalLong step(long state, Operation operation);

  private static OptionalLong expect(Operation operation, long result, long next) {
    boolean possible = !operation.isKnown() || operation.result() == result;
    return possible ? OptionalLong.of(next) : OptionalLong.empty();
  }

  private static OptionalLong wiped(Operation operation, long state) {
    if (!operation.name().equals(WIPE)) {
      throw new IllegalArgumentException("unknown operation " + operation.name());
    }
    return OptionalLong.of(state);
  }
}
