package io.lockkeeper.spring;

import io.lockkeeper.HeldLease;
import org.jspecify.annotations.Nullable;

/**
 * Some work that is done while a lock is held, and knows its lease.
 *
 * @param <L> the type of the lease
 * @param <T> the result
 * @param <E> what it may throw
 */
@FunctionalInterface
public interface LeaseTask<L extends HeldLease, T extends @Nullable Object, E extends Exception> {

  /** Does it. */
  T call(L lease) throws E;
}
