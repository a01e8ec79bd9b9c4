package io.lockkeeper.spi;

/**
 * A store's answer to a withdrawal: the claim neither waits nor holds anything now.
 *
 * @param token the token of the grant that a claim on a barrier had, whose group was complete; 0 if
 *     it had none. Always 0 for other resources, and for a repeated withdrawal
 */
public record WithdrawAnswer(long token) {

  /** The answer for a claim that had not passed a barrier. */
  public static final WithdrawAnswer LEFT = new WithdrawAnswer(0);

  /** Returns whether the group of the claim was complete, so that the other members pass. */
  public boolean hasPassed() {
    return token != 0;
  }
}
