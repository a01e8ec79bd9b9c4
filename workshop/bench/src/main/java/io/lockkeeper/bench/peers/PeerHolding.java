package io.lockkeeper.bench.peers;

import io.lockkeeper.lab.load.Subject.Holding;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What is held of another product, which has no tokens.
 *
 * @param left returns for how long it is held; 1 if that is not known
 * @param releasing gives it back; returns false if it was lost before
 */
record PeerHolding(LongSupplier left, BooleanSupplier releasing) implements Holding {

  /** Returns what is held for a time that is not known. */
  static Holding of(BooleanSupplier isHeld, BooleanSupplier releasing) {
    return new PeerHolding(() -> isHeld.getAsBoolean() ? 1 : 0, releasing);
  }

  @Override
  public long token() {
    return 0;
  }

  @Override
  public long remainingNanos() {
    return left.getAsLong();
  }

  @Override
  public boolean release() {
    return releasing.getAsBoolean();
  }
}
