package io.lockkeeper;

import java.util.List;
import java.util.function.Consumer;

/**
 * The right to several resources at once: what a successful acquisition of a {@link MultiLock}
 * returns. It is valid while all of its members are. When one of them is lost the whole is lost,
 * and the others are released.
 *
 * <p>Like a {@link Lease} it belongs to no thread, and its members are renewed in the background
 * unless it was acquired for a fixed time.
 */
public interface MultiLease extends HeldLease {

  /**
   * Returns the fencing tokens of the members, in the order of {@link MultiLock#locks()}. Each
   * orders the holders of its own resource. There is no token for the whole: send to each guarded
   * system the token of the lock that guards it.
   */
  List<Long> tokens();

  /**
   * {@inheritDoc} It gets the loss of the first member that was lost, or of the first lock if the
   * fixed time of the whole was over.
   */
  @Override
  void onLost(Consumer<? super LeaseLost> action);

  /**
   * Gives everything back, without waiting for the stores. If the release of one member fails the
   * others are released all the same; the first failure is thrown, with the others suppressed in
   * it. Releasing again does nothing.
   *
   * @throws LeaseLostException if the lease was lost before
   */
  @Override
  void release();
}
