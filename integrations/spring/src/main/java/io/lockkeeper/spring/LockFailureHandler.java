package io.lockkeeper.spring;

import io.lockkeeper.AcquireTimeoutException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what becomes of a call that did not get its lock in time: see {@link Locked#handler}. */
@FunctionalInterface
public interface LockFailureHandler {

  /**
   * A call that did not get its lock.
   *
   * @param target the bean
   * @param method its method
   * @param arguments the arguments, in a list that may have nulls
   * @param names the names of the locks
   * @param cause says that the time is over
   */
  record Failure(
      Object target,
      Method method,
      List<@Nullable Object> arguments,
      List<String> names,
      AcquireTimeoutException cause) {}

  /**
   * Returns what the call is to return, or throws what it is to throw.
   *
   * @throws Throwable for the caller
   */
  @Nullable Object handle(Failure failure) throws Throwable;
}
