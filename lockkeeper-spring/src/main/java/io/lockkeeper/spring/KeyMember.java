package io.lockkeeper.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.ExpressionInvocationTargetException;
import org.springframework.expression.MethodExecutor;
import org.springframework.expression.spel.support.ReflectiveMethodExecutor;
import org.springframework.expression.spel.support.ReflectiveMethodResolver;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A key that is one call without arguments on a parameter: {@code #sku.toLowerCase()}. The method
 * is the one that Spring's resolver finds, looked for once while the values are of one class; what
 * the evaluation of an expression makes besides at each call is spared. What is not as simple as it
 * looks, such as a value that is null or a method that is not there, is left to the expression,
 * which does what it does or says what is wrong.
 */
final class KeyMember {

  private static final Pattern CALL =
      Pattern.compile("#(?<parameter>\\w+)\\.(?<method>\\w+)\\(\\s*\\)");

  private static final ReflectiveMethodResolver RESOLVER = new ReflectiveMethodResolver();

  private final String parameter;
  private final String name;

  /** The method that was found last. Any thread writes it; one that misses it looks anew. */
  private volatile @Nullable Found found;

  /**
   * The method of one class.
   *
   * @param method null if it is left to the expression
   */
  private record Found(Class<?> type, @Nullable Method method) {}

  private KeyMember(String parameter, String name) {
    this.parameter = parameter;
    this.name = name;
  }

  /** Returns the call that an expression is, or null if it is something else. */
  static @Nullable KeyMember of(String expression) {
    Matcher call = CALL.matcher(expression);
    return call.matches() ? new KeyMember(call.group("parameter"), call.group("method")) : null;
  }

  /** Returns how the expression calls the parameter. */
  String parameter() {
    return parameter;
  }

  /** Returns the method to call on a value, or null if that is left to the expression. */
  @Nullable Method method(EvaluationContext context, @Nullable Object value) {
    if (value == null || value instanceof Class) {
      return null;
    }
    Found last = found;
    if (last == null || last.type() != value.getClass()) {
      last = new Found(value.getClass(), find(context, value));
      found = last;
    }
    return last.method();
  }

  private @Nullable Method find(EvaluationContext context, Object value) {
    try {
      MethodExecutor executor = RESOLVER.resolve(context, value, name, List.of());
      if (!(executor instanceof ReflectiveMethodExecutor reflective)
          || reflective.getMethod().getParameterCount() > 0) { // it may take any number
        return null;
      }
      Method method =
          ClassUtils.getPubliclyAccessibleMethodIfPossible(
              reflective.getMethod(), value.getClass());
      ReflectionUtils.makeAccessible(method);
      return method;
    } catch (AccessException | RuntimeException e) { // the expression says it better
      return null;
    }
  }

  /** Calls a method on a value, and throws what the expression would. */
  static @Nullable Object call(Method method, Object value) {
    try {
      return method.invoke(value);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new ExpressionInvocationTargetException(
          "A problem occurred when trying to execute method '"
              + method.getName()
              + "' on object of type ["
              + value.getClass().getName()
              + "]",
          e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e); // it was made accessible
    }
  }
}
