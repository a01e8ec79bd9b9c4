package io.lockkeeper.testkit.sim;

/** A promise was broken in a simulated run; the message has the seed that repeats it. */
public final class SimViolation extends AssertionError {

  private static final long serialVersionUID = 1L;

  SimViolation(String message) {
    super(message);
  }

  SimViolation(String message, Throwable cause) {
    super(message, cause);
  }
}
