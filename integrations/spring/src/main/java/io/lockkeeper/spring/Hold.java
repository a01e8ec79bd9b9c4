package io.lockkeeper.spring;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.HeldLease;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLock;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.MultiLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Something that is held until it is released once. */
interface Hold {

  HeldLease lease();

  /** Whether this is the first hold of its lease; a re-entry shares the lease with the first. */
  boolean isOutermost();

  /**
   * Returns the token of each lock, by its name.
   *
   * @throws LeaseLostException if the lease is lost
   */
  Map<String, Long> tokens();

  /**
   * Fails if the lease is not valid.
   *
   * @throws LeaseLostException if the lease is lost
   */
  void check();

  /**
   * Gives it back.
   *
   * @throws LeaseLostException if the lease was lost before
   */
  void release();

  /** Releases after a failure, with what goes wrong suppressed in it. */
  default void releaseAfter(Throwable failure) {
    try {
      release();
    } catch (Throwable more) {
      failure.addSuppressed(more);
    }
  }

  /** Returns the hold of the current thread, which has just locked. */
  static Hold ofThread(LeaseLock<?> lock) {
    Thread owner = Thread.currentThread();
    HeldLease lease = lock.heldLease();
    boolean outermost = lock.getHoldCount() <= 1;
    return new Hold() {
      @Override
      public HeldLease lease() {
        return lease;
      }

      @Override
      public boolean isOutermost() {
        return outermost;
      }

      @Override
      public Map<String, Long> tokens() {
        Map<String, Long> tokens = new TreeMap<>();
        if (lock instanceof DistributedLock single) {
          tokens.put(single.name(), single.token());
        } else if (lock instanceof MultiLock multi) {
          List<Long> all = multi.tokens();
          for (int i = 0; i < all.size(); i++) {
            tokens.put(multi.locks().get(i).name(), all.get(i));
          }
        }
        return tokens;
      }

      @Override
      public void check() {
        tokens();
      }

      @Override
      public void release() {
        if (Thread.currentThread().equals(owner)) {
          lock.unlock();
        } else {
          lease.release(); // a transaction that another thread has completed
        }
      }
    };
  }

  /**
   * Returns a hold whose release keeps the lock closed until some time has passed since now.
   *
   * @throws IllegalStateException if it is not the hold of one lock
   */
  static Hold keptClosed(Hold hold, Duration atLeast) {
    if (!(hold.lease() instanceof Lease lease)) {
      IllegalStateException several =
          new IllegalStateException("with atLeast there must be one key, and not several");
      hold.releaseAfter(several);
      throw several;
    }
    long begin = System.nanoTime();
    return new Hold() {
      @Override
      public HeldLease lease() {
        return lease;
      }

      @Override
      public boolean isOutermost() {
        return hold.isOutermost();
      }

      @Override
      public Map<String, Long> tokens() {
        return hold.tokens();
      }

      @Override
      public void check() {
        hold.check();
      }

      @Override
      public void release() {
        if (hold.isOutermost()) {
          Duration rest = atLeast.minusNanos(System.nanoTime() - begin);
          lease.releaseAfter(rest.isNegative() ? Duration.ZERO : rest);
        } else {
          hold.release();
        }
      }
    };
  }

  /** Returns the hold of a lease that belongs to no thread. */
  static Hold ofLease(HeldLease lease) {
    return new Hold() {
      @Override
      public HeldLease lease() {
        return lease;
      }

      @Override
      public boolean isOutermost() {
        return true;
      }

      @Override
      public Map<String, Long> tokens() {
        throw new IllegalStateException("not the hold of a thread");
      }

      @Override
      public void check() {
        if (!lease.isValid()) {
          lease.release(); // says why
        }
      }

      @Override
      public void release() {
        lease.release();
      }
    };
  }
}
