package io.lockkeeper.bench;

/** The heap of this process. */
public final class Heap {

  private static final double STILL_LESS = 0.99;

  private Heap() {}

  /** Returns what is in use after it has been cleaned up. */
  @SuppressWarnings("SystemGc") // nothing else makes the number mean something
  public static double usedBytes() {
    double used = Double.MAX_VALUE;
    double before;
    do {
      before = used;
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      used = Math.min(before, runtime.totalMemory() - (double) runtime.freeMemory());
    } while (used < STILL_LESS * before);
    return used;
  }
}
