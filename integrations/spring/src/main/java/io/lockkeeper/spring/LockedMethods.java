package io.lockkeeper.spring;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.HeldLease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.support.DurationText;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.NativeDetector;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The methods with {@link Locked}, each read once.
 *
 * <p>This file is long because all that an annotation can be wrong about is checked here.
 */
final class LockedMethods implements BeanFactoryAware {

  private static final RepeatableContainers SEVERAL = RepeatableContainers.standardRepeatables();

  /** Results that are complete some time after the call, and say nobody when. */
  private static final List<String> UNKNOWN_END =
      List.of(
          "java.util.concurrent.Callable",
          "org.springframework.web.context.request.async.DeferredResult",
          "org.springframework.web.context.request.async.WebAsyncTask",
          "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
          "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

  /** The words that name no parameter in SpEL, also if there is one of that name. */
  private static final List<String> RESERVED = List.of("#root", "#this");

  private final Map<MethodClassKey, LockedMethod> known = new ConcurrentHashMap<>();
  private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();

  /** The part of the context of expressions that is the same for every call. */
  private final StandardEvaluationContext shared = new StandardEvaluationContext();

  private @Nullable BeanFactory beans;

  @Override
  public void setBeanFactory(BeanFactory beanFactory) {
    this.beans = beanFactory;
    shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
  }

  static boolean isFenced(Method method, Class<?> targetClass) {
    return annotations(AopUtils.getMostSpecificMethod(method, targetClass)).stream()
        .anyMatch(annotation -> annotation.getBoolean("fenced"));
  }

  static boolean isLocked(Method method, Class<?> targetClass) {
    return !annotations(AopUtils.getMostSpecificMethod(method, targetClass)).isEmpty();
  }

  /**
   * Returns the method with its locks.
   *
   * @throws IllegalStateException if the annotation cannot be meant
   */
  LockedMethod get(Method method, Class<?> targetClass) {
    MethodClassKey key = new MethodClassKey(method, targetClass);
    LockedMethod found = known.get(key);
    if (found == null) {
      found = read(AopUtils.getMostSpecificMethod(method, targetClass), targetClass);
      known.put(key, found);
    }
    return found;
  }

  EvaluationContext context(LockedMethod locked, Object target, @Nullable Object[] arguments) {
    return new CallContext(
        shared, locked.variables(), arguments, new Root(locked.method(), arguments, target));
  }

  /** Returns the annotations that are nearest: on the method, or on the one that it implements. */
  static List<MergedAnnotation<Locked>> annotations(AnnotatedElement method) {
    List<MergedAnnotation<Locked>> all =
        MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY, SEVERAL).stream(Locked.class)
            .toList();
    int nearest =
        all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(Integer.MAX_VALUE);
    return all.stream().filter(annotation -> annotation.getAggregateIndex() == nearest).toList();
  }

  private LockedMethod read(Method method, Class<?> targetClass) {
    LockedMethod.Result result = result(method);
    List<LockedOperation> operations = new ArrayList<>();
    for (MergedAnnotation<Locked> annotation : annotations(method)) {
      operations.add(read(annotation.synthesize(), method, targetClass, result));
    }
    List<Integer> leases =
        IntStream.range(0, method.getParameterCount())
            .filter(i -> HeldLease.class.isAssignableFrom(method.getParameterTypes()[i]))
            .boxed()
            .toList();
    return LockedMethod.of(method, List.copyOf(operations), result, variables(method), leases);
  }

  /** Returns the positions of the parameters by their names, as in {@code @Cacheable}. */
  private Map<String, Integer> variables(Method method) {
    String[] parameters = names.getParameterNames(method);
    Map<String, Integer> variables = new HashMap<>();
    for (int i = 0; i < method.getParameterCount(); i++) {
      variables.put("a" + i, i);
      variables.put("p" + i, i);
      String name = parameters == null || i >= parameters.length ? null : parameters[i];
      if (name != null) { // a continuation has none
        variables.put(name, i);
      }
    }
    return Map.copyOf(variables);
  }

  private LockedOperation read(
      Locked annotation, Method method, Class<?> targetClass, LockedMethod.Result result) {
    String name = resolved(annotation.name());
    if (name.isEmpty()) {
      name = ClassUtils.getShortName(targetClass) + "." + method.getName();
    }
    AcquireOptions options = AcquireOptions.defaults();
    Duration wait = duration(annotation.waitTime(), "waitTime", method);
    if (wait != null) {
      options = options.withWait(wait);
    }
    Duration lease = duration(annotation.leaseTime(), "leaseTime", method);
    if (lease != null) {
      options = options.withFixedLease(lease);
    }
    String handler = resolved(annotation.handler());
    String fallback = resolved(annotation.fallback());
    Duration atLeast = duration(annotation.atLeast(), "atLeast", method);
    if (atLeast != null) {
      checkAtLeast(annotation, method, result, atLeast);
      if (wait == null) {
        options = options.withWait(Duration.ZERO);
      }
    }
    OnFailure onFailure = annotation.onFailure();
    if (onFailure == OnFailure.DEFAULT) {
      onFailure = atLeast == null ? OnFailure.THROW : OnFailure.SKIP;
    }
    long answers =
        Stream.of(
                !handler.isEmpty(),
                !fallback.isEmpty(),
                annotation.onFailure() != OnFailure.DEFAULT)
            .filter(given -> given)
            .count();
    if (answers > 1) {
      throw wrong(method, "says more than one of onFailure, fallback and handler");
    }
    if (annotation.permits() < 0) {
      throw wrong(method, "has negative permits");
    }
    if (annotation.permits() > 0
        && (annotation.key().length > 1 || annotation.mode() != LockMode.LOCK)) {
      throw wrong(method, "is a semaphore, which has one key and no mode");
    }
    if (annotation.release() == ReleasePoint.AFTER_TRANSACTION
        && result != LockedMethod.Result.VALUE) {
      throw wrong(
          method, "has an asynchronous result, which no transaction of this thread completes");
    }
    if (annotation.fenced()) {
      checkFenced(annotation, method, result);
    }
    String keeper = resolved(annotation.keeper());
    checkBean(handler, "handler", LockFailureHandler.class, method);
    checkBean(keeper, "keeper", Lockkeeper.class, method);
    Map<String, Integer> variables = variables(method);
    List<LockedOperation.Key> keys =
        Stream.of(annotation.key())
            .map(key -> key(expression(key, "key", method, variables), variables))
            .toList();
    return new LockedOperation(
        method,
        name,
        keys,
        annotation.condition().isEmpty()
            ? null
            : expression(annotation.condition(), "condition", method, variables),
        annotation.mode(),
        annotation.permits(),
        options,
        atLeast,
        onFailure,
        fallback.isEmpty() ? null : fallback(fallback, method, targetClass),
        handler,
        annotation.release(),
        annotation.fenced(),
        annotation.onLoss(),
        keeper);
  }

  private void checkBean(String name, String what, Class<?> type, Method method) {
    if (beans != null
        && !name.isEmpty()
        && !(beans.containsBean(name) && beans.isTypeMatch(name, type))) {
      throw wrong(
          method,
          "has the %s '%s', but there is no bean of this name and the type %s"
              .formatted(what, name, type.getSimpleName()));
    }
  }

  private static void checkAtLeast(
      Locked annotation, Method method, LockedMethod.Result result, Duration atLeast) {
    if (atLeast.isNegative() || atLeast.compareTo(Duration.ofHours(24)) > 0) {
      throw wrong(method, "has an atLeast that is not from 0 to 24 h");
    }
    boolean isOneLock =
        annotation.permits() == 0
            && annotation.key().length < 2
            && (annotation.mode() == LockMode.LOCK || annotation.mode() == LockMode.FAIR);
    if (!isOneLock) {
      throw wrong(method, "has an atLeast, for which it must be one lock, not read or write");
    }
    if (result != LockedMethod.Result.VALUE) {
      throw wrong(method, "has an atLeast and an asynchronous result: call Lockkeeper.once");
    }
  }

  private static void checkFenced(Locked annotation, Method method, LockedMethod.Result result) {
    if (!Libraries.FENCES) {
      throw wrong(method, "is fenced, which needs lockkeeper-jdbc and spring-jdbc");
    }
    if (annotation.permits() > 0 || annotation.mode() == LockMode.READ) {
      throw wrong(method, "is fenced, but shares what it holds with others");
    }
    if (result != LockedMethod.Result.VALUE) {
      throw wrong(method, "is fenced, but has an asynchronous result, which has no transaction");
    }
  }

  private static LockedMethod.Result result(Method method) {
    Class<?> type = method.getReturnType();
    if (KotlinDetector.isSuspendingFunction(method)) {
      if (!Libraries.COROUTINES) {
        throw wrong(
            method,
            "is a suspending function, which needs kotlinx-coroutines-reactor and kotlin-reflect");
      }
      return LockedMethod.Result.PUBLISHER;
    }
    if (CompletionStage.class.isAssignableFrom(type)) {
      if (!type.isAssignableFrom(CompletableFuture.class)) {
        throw wrong(method, "must return CompletionStage or CompletableFuture");
      }
      return LockedMethod.Result.STAGE;
    }
    if (ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null) {
      if (!Libraries.REACTOR) {
        throw wrong(method, "returns a " + type.getSimpleName() + ", which needs reactor-core");
      }
      return LockedMethod.Result.PUBLISHER;
    }
    if (type.getName().startsWith("kotlinx.coroutines.")) {
      throw wrong(
          method,
          "returns a "
              + type.getSimpleName()
              + ": make it a suspending function, or return a Flow or a Deferred and add"
              + " kotlinx-coroutines-reactor");
    }
    if (Future.class.isAssignableFrom(type) || UNKNOWN_END.stream().anyMatch(isA(type))) {
      throw wrong(
          method,
          "returns a "
              + type.getSimpleName()
              + ", which does not say when it is complete: return a CompletableFuture");
    }
    return LockedMethod.Result.VALUE;
  }

  private static java.util.function.Predicate<String> isA(Class<?> type) {
    return name -> {
      for (Class<?> each = type; each != null; each = each.getSuperclass()) {
        if (each.getName().equals(name)) {
          return true;
        }
      }
      return false;
    };
  }

  private static Method fallback(String name, Method method, Class<?> targetClass) {
    Method found = ReflectionUtils.findMethod(targetClass, name, method.getParameterTypes());
    if (found == null) {
      throw wrong(
          method,
          "has the fallback '"
              + name
              + "', but there is no such method with the parameters "
              + Stream.of(method.getParameterTypes())
                  .map(Class::getSimpleName)
                  .collect(Collectors.joining(", ", "(", ")")));
    }
    if (!ClassUtils.isAssignable(method.getReturnType(), found.getReturnType())) {
      throw wrong(method, "has a fallback with another result: " + found);
    }
    return found;
  }

  /** Returns the key, which mostly is a parameter and needs no evaluation. */
  private static LockedOperation.Key key(Expression expression, Map<String, Integer> variables) {
    String text = expression.getExpressionString().trim();
    boolean isName = text.startsWith("#") && !RESERVED.contains(text);
    int parameter = isName ? variables.getOrDefault(text.substring(1), -1) : -1;
    return new LockedOperation.Key(expression, parameter);
  }

  /**
   * Returns a parser whose expressions are compiled once they have been evaluated often, which
   * saves most of what they allocate. One that does not fit its compiled form any more, as the type
   * of an argument is another one, is interpreted again.
   */
  private static SpelExpressionParser parser(Method method) {
    return new SpelExpressionParser(
        new SpelParserConfiguration(
            NativeDetector.inNativeImage() ? SpelCompilerMode.OFF : SpelCompilerMode.MIXED,
            method.getDeclaringClass().getClassLoader()));
  }

  private Expression expression(
      String text, String what, Method method, Map<String, Integer> variables) {
    SpelExpression expression;
    try {
      expression = (SpelExpression) parser(method).parseExpression(resolved(text));
    } catch (ParseException e) {
      throw new IllegalStateException(
          describe(method)
              + " has the "
              + what
              + " '"
              + text
              + "', which is no SpEL expression"
              + (text.contains("#{") ? " (leave out the #{...})" : "")
              + ": "
              + e.getSimpleMessage(),
          e);
    }
    checkVariables(expression.getAST(), text, what, method, variables);
    return expression;
  }

  private static void checkVariables(
      SpelNode node, String text, String what, Method method, Map<String, Integer> variables) {
    String name = node instanceof VariableReference ? node.toStringAST() : "#this";
    if (!RESERVED.contains(name) && !variables.containsKey(name.substring(1))) {
      throw wrong(
          method,
          "has the %s '%s', but no parameter %s (%s); are the classes compiled with -parameters?"
              .formatted(what, text, name.substring(1), String.join(", ", names(variables))));
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      checkVariables(node.getChild(i), text, what, method, variables);
    }
  }

  /** Returns what parameters are called: their names, or their positions without names. */
  private static List<String> names(Map<String, Integer> variables) {
    List<String> given =
        variables.keySet().stream().filter(name -> !name.matches("[ap]\\d+")).sorted().toList();
    return given.isEmpty() ? variables.keySet().stream().sorted().toList() : given;
  }

  private @Nullable Duration duration(String text, String what, Method method) {
    String resolved = resolved(text);
    if (resolved.isEmpty()) {
      return null;
    }
    try {
      return DurationText.parse(resolved);
    } catch (IllegalArgumentException e) {
      throw wrong(method, "has the " + what + " '" + text + "', which " + e.getMessage());
    }
  }

  private String resolved(String text) {
    String resolved =
        beans instanceof ConfigurableBeanFactory configurable
            ? configurable.resolveEmbeddedValue(text)
            : text;
    return resolved == null ? "" : resolved.trim();
  }

  static IllegalStateException wrong(Method method, String what) {
    return new IllegalStateException(describe(method) + " " + what);
  }

  private static String describe(Method method) {
    return "@Locked method "
        + ClassUtils.getShortName(method.getDeclaringClass())
        + "."
        + method.getName();
  }

  /** The {@code #root} of expressions. */
  static final class Root {

    private final Method method;
    private final @Nullable Object[] args;
    private final Object target;

    Root(Method method, @Nullable Object[] args, Object target) {
      this.method = method;
      this.args = args;
      this.target = target;
    }

    public Method getMethod() {
      return method;
    }

    public String getMethodName() {
      return method.getName();
    }

    public @Nullable Object[] getArgs() {
      return args;
    }

    public Object getTarget() {
      return target;
    }

    public Class<?> getTargetClass() {
      return AopUtils.getTargetClass(target);
    }
  }
}
