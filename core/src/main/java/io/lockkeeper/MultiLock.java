package io.lockkeeper;

import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * Several locks that are acquired together, all or none. They may belong to any clients and any
 * stores.
 *
 * <p><b>Order.</b> The members are taken one after another in an order that is the same everywhere:
 * by name, then by the store's address, then by namespace. So two multi-locks cannot wait for each
 * other in a circle, in whatever order their locks were given, as long as all clients write a
 * store's address in the same way and nobody takes a member by itself while holding a later one.
 *
 * <p><b>One limit.</b> A limit on the wait is one for all members together. If the limit passes, a
 * member fails or the thread is interrupted, the members already acquired are released.
 *
 * <p><b>One loss.</b> When one member is lost the whole is lost: {@link #isHeldByCurrentThread()}
 * is false, the other members are released, {@link MultiLease#onLost} notifies once, and {@link
 * #unlock()} throws {@link LeaseLostException} once for each {@link #lock()}.
 *
 * <p><b>As a {@link Lock}</b> it is owned by a thread and re-entrant, and so are its members: a
 * thread that holds a member by itself takes it again, and a thread that holds this lock may lock a
 * member, which ends at the latest with this lock's loss. A fixed time counts from the moment at
 * which the last member was acquired. Until then the members are renewed, and a crashed holder
 * blocks the others for as long as the members' own leases.
 *
 * <p><b>As a source of {@link MultiLease}s</b> it belongs to no thread, as with {@link
 * DistributedLock}.
 */
public interface MultiLock extends LeaseLock<MultiLease> {

  /** Returns the members in the order in which they were given, each once. */
  List<DistributedLock> locks();

  /**
   * Returns the fencing tokens of the current thread's hold, in the order of {@link #locks()}.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock
   * @throws LeaseLostException if the current thread held it and has lost it
   */
  List<Long> tokens();

  /**
   * {@inheritDoc} Asks the store of each member once, and stops at the first that is held by
   * another.
   */
  @Override
  boolean tryLock();

  /**
   * {@inheritDoc}
   *
   * <p>Does not wait for the stores. If unlocking one member fails the others are unlocked all the
   * same; the first failure is thrown, with the others suppressed in it.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock
   * @throws LeaseLostException if the current thread held it and has lost it; nobody else's hold is
   *     touched
   */
  @Override
  void unlock();
}
