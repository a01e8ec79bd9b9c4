package io.lockkeeper.bench.worker;

/** What a thread does besides taking the lock and giving it back. */
public enum Work {
  /** Nothing: the cost of the lock alone. */
  NONE(""),
  /** An order's own work while it holds the lock: reads the stock and writes it back changed. */
  ORDER(", work under the lock"),
  /** As much work before each acquisition: looks at the stock twice. */
  AROUND(", work between acquisitions");

  private final String label;

  Work(String label) {
    this.label = label;
  }

  /** Returns what is added to the name of a contest; empty for nothing. */
  public String label() {
    return label;
  }
}
