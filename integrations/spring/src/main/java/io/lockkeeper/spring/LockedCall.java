package io.lockkeeper.spring;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.HeldLease;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.beans.factory.BeanFactory;

/**
 * One call of a method, with the locks that it needs.
 *
 * @param steps the locks, in the order in which they are taken
 */
record LockedCall(
    LockedMethod locked,
    Object target,
    MethodInvocation invocation,
    List<Step> steps,
    BeanFactory beans) {

  /** One of the locks of a call. */
  record Step(
      LockedOperation operation, LockRequest request, LockTemplate template, OnLoss onLoss) {}

  /** The use that is made of the leases. */
  @FunctionalInterface
  interface Body {

    @Nullable Object run(List<HeldLease> leases) throws Throwable;
  }

  /** Calls the method, as often as somebody subscribes to it. */
  @Nullable Object proceed(List<HeldLease> leases) throws Throwable {
    boolean isAsItIs =
        locked.leaseParameters().isEmpty() && locked.result() != LockedMethod.Result.PUBLISHER;
    if (isAsItIs || !(invocation instanceof ProxyMethodInvocation proxied)) {
      return invocation.proceed();
    }
    @Nullable Object[] arguments = invocation.getArguments().clone();
    for (int position : locked.leaseParameters()) {
      Class<?> type = locked.method().getParameterTypes()[position];
      arguments[position] =
          leases.stream()
              .filter(type::isInstance)
              .findFirst()
              .orElseThrow(
                  () ->
                      LockedMethods.wrong(
                          locked.method(),
                          "wants a "
                              + type.getSimpleName()
                              + ", but this call has "
                              + leases
                              + ": declare a HeldLease"));
    }
    return proxied.invocableClone(arguments).proceed();
  }

  /** Returns what the call is to return, as it did not get this lock in time. */
  @Nullable Object failed(Step step, AcquireTimeoutException cause) throws Throwable {
    return step.operation()
        .failed(beans, target, invocation.getArguments(), step.request().names(), cause);
  }
}
