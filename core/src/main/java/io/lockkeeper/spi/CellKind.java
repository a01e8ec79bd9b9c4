package io.lockkeeper.spi;

/** The kinds of cells. Cells of one name and different kinds are different cells. */
public enum CellKind {
  /** The number of a counter. */
  COUNTER("ctr"),

  /** Bytes that clients share. */
  VALUE("val"),

  /** The number of times that a latch must still be counted down. */
  LATCH("lat"),

  /** Messages between clients about their waiting threads, for the detection of deadlocks. */
  NOTES("note");

  private final String suffix;

  CellKind(String suffix) {
    this.suffix = suffix;
  }

  /** Returns a short word for keys. */
  public String suffix() {
    return suffix;
  }

  /** Returns the kind with this suffix. */
  public static CellKind of(String suffix) {
    for (CellKind kind : values()) {
      if (kind.suffix.equals(suffix)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("not a kind of cell: " + suffix);
  }
}
