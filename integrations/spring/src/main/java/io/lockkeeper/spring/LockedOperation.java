package io.lockkeeper.spring;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.integration.MethodLock;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.util.ObjectUtils;

/**
 * One {@link Locked} of one method, with its texts read.
 *
 * @param method the method, for messages
 * @param atLeast how long the lock is kept closed from its acquisition
 * @param fallback the method to call instead
 * @param handler the name of a bean, or empty
 * @param keeper the name of a bean, or empty
 */
record LockedOperation(
    Method method,
    String name,
    List<Key> keys,
    @Nullable Expression condition,
    LockMode mode,
    int permits,
    AcquireOptions options,
    @Nullable Duration atLeast,
    OnFailure onFailure,
    @Nullable Method fallback,
    String handler,
    ReleasePoint release,
    boolean fenced,
    OnLoss onLoss,
    String keeper) {

  /**
   * A key.
   *
   * @param parameter the position of the parameter that it names and nothing else, or -1
   */
  record Key(Expression expression, int parameter) {

    @Nullable Object value(EvaluationContext context, @Nullable Object[] arguments) {
      return parameter < 0 ? expression.getValue(context) : arguments[parameter];
    }
  }

  /** Returns whether it is the same for each call. */
  boolean isConstant() {
    return condition == null && keys.isEmpty();
  }

  /** Returns whether an expression has to be evaluated. */
  boolean needsContext() {
    return condition != null || keys.stream().anyMatch(key -> key.parameter() < 0);
  }

  boolean applies(EvaluationContext context) {
    return condition == null || Boolean.TRUE.equals(condition.getValue(context, Boolean.class));
  }

  List<String> names(EvaluationContext context, @Nullable Object[] arguments) {
    if (keys.isEmpty()) {
      return List.of(name);
    }
    Object first = keys.get(0).value(context, arguments);
    if (first instanceof CharSequence && keys.size() == 1) {
      return List.of(name + ":" + first);
    }
    Set<String> names = new LinkedHashSet<>();
    for (Key key : keys) {
      Object value = names.isEmpty() ? first : key.value(context, arguments);
      List<?> parts =
          value instanceof Iterable<?> several
              ? list(several)
              : value != null && value.getClass().isArray()
                  ? Arrays.asList(ObjectUtils.toObjectArray(value))
                  : Collections.singletonList(value);
      if (parts.isEmpty()) {
        throw new IllegalArgumentException(
            "key " + text(key) + " has no element: say by a condition when there is no lock");
      }
      for (Object part : parts) {
        if (part == null) {
          throw new IllegalArgumentException(
              "key "
                  + text(key)
                  + " is null; are the parameters called so, and compiled with -parameters?");
        }
        names.add(name + ":" + part);
      }
    }
    return List.copyOf(names);
  }

  private static List<?> list(Iterable<?> several) {
    List<@Nullable Object> list = new ArrayList<>();
    several.forEach(list::add);
    return list;
  }

  private String text(Key key) {
    return "'" + key.expression().getExpressionString() + "' of " + method;
  }

  /** Returns what a call is to return that did not get its lock in time. */
  @Nullable Object failed(
      BeanFactory beans,
      Object target,
      @Nullable Object[] arguments,
      List<String> names,
      AcquireTimeoutException cause)
      throws Throwable {
    if (!handler.isEmpty()) {
      return beans
          .getBean(handler, LockFailureHandler.class)
          .handle(
              new LockFailureHandler.Failure(
                  target,
                  method,
                  Collections.unmodifiableList(Arrays.asList(arguments)),
                  names,
                  cause));
    }
    if (fallback != null) {
      return AopUtils.invokeJoinpointUsingReflection(target, fallback, arguments);
    }
    if (onFailure == OnFailure.THROW) {
      throw cause;
    }
    return MethodLock.skipped(method.getReturnType());
  }
}
