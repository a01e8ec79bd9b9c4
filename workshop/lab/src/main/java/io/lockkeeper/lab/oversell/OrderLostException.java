package io.lockkeeper.lab.oversell;

/**
 * A strategy gave an order up: a customer went away without a piece although one may be left. The
 * message is the reason in a few words, the same for all orders lost for the same reason.
 */
public final class OrderLostException extends Exception {

  private static final long serialVersionUID = 1L;

  public OrderLostException(String reason) {
    super(reason);
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
