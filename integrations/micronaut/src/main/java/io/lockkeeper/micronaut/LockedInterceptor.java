package io.lockkeeper.micronaut;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.integration.MethodLock;
import io.lockkeeper.integration.OnFailure;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.processor.ExecutableMethodProcessor;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes the lock of a {@link Locked} method; each is read at the start, which fails if one is
 * wrong.
 */
@Singleton
@InterceptorBean(Locked.class)
final class LockedInterceptor
    implements MethodInterceptor<Object, @Nullable Object>, ExecutableMethodProcessor<Locked> {

  private final BeanProvider<Lockkeeper> keeper;
  private final Map<ExecutableMethod<?, ?>, MethodLock> locks = new ConcurrentHashMap<>();

  LockedInterceptor(BeanProvider<Lockkeeper> keeper) {
    this.keeper = keeper;
  }

  /** Outside of transactions, and on the thread of {@code @Async}. */
  @Override
  public int getOrder() {
    return InterceptPhase.TRANSACTION.getPosition() - 10;
  }

  @Override
  public void process(BeanDefinition<?> bean, ExecutableMethod<?, ?> method) {
    lock(method);
  }

  private MethodLock lock(ExecutableMethod<?, ?> method) {
    MethodLock known = locks.get(method);
    return known != null ? known : locks.computeIfAbsent(method, LockedInterceptor::read);
  }

  private static MethodLock read(ExecutableMethod<?, ?> method) {
    return MethodLock.of(
        method.getDeclaringType(),
        method.getMethodName(),
        method.stringValue(Locked.class).orElse(""),
        method.stringValue(Locked.class, "waitTime").orElse(""),
        method.stringValue(Locked.class, "leaseTime").orElse(""),
        method.enumValue(Locked.class, "onFailure", OnFailure.class).orElse(OnFailure.THROW),
        List.of(method.getArgumentNames()),
        List.of(method.getArgumentTypes()),
        method.getReturnType().getType());
  }

  @Override
  public @Nullable Object intercept(MethodInvocationContext<Object, @Nullable Object> context) {
    return lock(context.getExecutableMethod())
        .call(keeper.get(), context.getParameterValues(), context::proceed);
  }
}
