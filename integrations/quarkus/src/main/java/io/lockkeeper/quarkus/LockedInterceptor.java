package io.lockkeeper.quarkus;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.integration.MethodLock;
import io.quarkus.runtime.BlockingOperationControl;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes the lock of a {@link Locked} method, outside of transactions. */
@Locked
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 190) // that of transactions is 200
public class LockedInterceptor {

  private final Lockkeeper keeper;
  private final Map<Method, MethodLock> locks = new ConcurrentHashMap<>();

  /** Creates the interceptor of a bean. */
  @Inject
  public LockedInterceptor(Lockkeeper keeper) {
    this.keeper = keeper;
  }

  /**
   * Returns the lock of a method. The build calls this too, and fails if the annotation cannot be
   * meant.
   *
   * @throws IllegalStateException if the annotation cannot be meant
   */
  public static MethodLock read(Method method) {
    Locked locked = method.getAnnotation(Locked.class);
    if (locked == null) {
      throw new IllegalStateException("@Locked is not on " + method);
    }
    return MethodLock.of(
        method.getDeclaringClass(),
        method.getName(),
        locked.value(),
        locked.waitTime(),
        locked.leaseTime(),
        locked.onFailure(),
        Stream.of(method.getParameters()).map(Parameter::getName).toList(),
        List.of(method.getParameterTypes()),
        method.getReturnType());
  }

  /** Calls the method with its lock held. */
  @AroundInvoke
  public @Nullable Object intercept(InvocationContext context) throws Exception {
    Method method = context.getMethod();
    if (!BlockingOperationControl.isBlockingAllowed()) {
      throw new IllegalStateException(
          "@Locked method "
              + method.getDeclaringClass().getSimpleName()
              + "."
              + method.getName()
              + " may wait for its lock, and is called on a thread that must not block: add"
              + " @Blocking or @RunOnVirtualThread to its caller");
    }
    MethodLock lock = locks.get(method);
    if (lock == null) {
      lock = locks.computeIfAbsent(method, LockedInterceptor::read);
    }
    return lock.call(keeper, context.getParameters(), context::proceed);
  }
}
