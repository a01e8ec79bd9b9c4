package io.lockkeeper.lab.oversell;

/** Counts orders whose fencing token is not larger than that of the order recorded before. */
final class TokenCheck {

  private long last = -1;
  private long orders;
  private long regressions;

  /** Takes the next order's token; one below 0 is none. */
  void add(long token) {
    orders++;
    if (token >= 0 && token <= last) {
      regressions++;
    }
    last = Math.max(last, token);
  }

  long orders() {
    return orders;
  }

  long regressions() {
    return regressions;
  }
}
