package io.lockkeeper.bench;

/** What a thread does while it holds a lock. */
enum Work {
  /** Nothing: the cost of the lock alone. */
  NONE(""),
  /** An order's own work: reads the stock and writes it back changed. */
  ORDER(", work under the lock");

  private final String label;

  Work(String label) {
    this.label = label;
  }

  /** Returns what is added to the name of a contest; empty for nothing. */
  String label() {
    return label;
  }
}
