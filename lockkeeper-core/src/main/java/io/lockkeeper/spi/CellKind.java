package io.lockkeeper.spi;

/** What a cell is for. Cells of one name and different kinds are different cells. */
public enum CellKind {
  /** The number of a counter. */
  COUNTER("ctr"),

  /** Bytes that clients share. */
  VALUE("val"),

  /** How often a latch has still to be counted down. */
  LATCH("lat"),

  /** What clients tell each other about their threads. */
  NOTES("note");

  private final String suffix;

  CellKind(String suffix) {
    this.suffix = suffix;
  }

  /** Returns a short word for keys. */
  public String suffix() {
    return suffix;
  }

  /** Returns the kind that a short word tells. */
  public static CellKind of(String suffix) {
    for (CellKind kind : values()) {
      if (kind.suffix.equals(suffix)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("not a kind of cell: " + suffix);
  }
}
