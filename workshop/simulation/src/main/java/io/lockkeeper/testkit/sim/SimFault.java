package io.lockkeeper.testkit.sim;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;

/** The failure that user code, executors and drivers throw in a run that goes wrong. */
final class SimFault {

  private static final String MESSAGE = "made up by the simulation";

  private SimFault() {}

  /** Throws something of any kind, a checked exception that nobody has declared included. */
  static AssertionError any(SplittableRandom random) {
    throw SimFault.<RuntimeException>sneaky(make(random));
  }

  static Throwable make(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> new OutOfMemoryError(MESSAGE);
      case 1 -> new NoClassDefFoundError(MESSAGE);
      case 2 -> new AssertionError(MESSAGE);
      case 3 -> new RejectedExecutionException(MESSAGE);
      default -> new IOException(MESSAGE);
    };
  }

  /** Returns whether something is what a simulation has thrown, or was caused by it. */
  static boolean isIn(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (MESSAGE.equals(cause.getMessage())) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> AssertionError sneaky(Throwable failure) throws E {
    throw (E) failure;
  }
}
