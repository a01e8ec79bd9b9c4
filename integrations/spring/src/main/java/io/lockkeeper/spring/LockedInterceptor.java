package io.lockkeeper.spring;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.HeldLease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Takes the locks of a {@link Locked} method, calls it, and releases them. */
final class LockedInterceptor implements MethodInterceptor {

  /** For texts that are about nothing in the call. */
  private static final EvaluationContext NOTHING = new StandardEvaluationContext();

  private static final System.Logger LOG = System.getLogger(Locked.class.getName());

  private final LockedMethods methods;
  private final BeanFactory beans;
  private final Consumer<? super ApplicationEvent> events;
  private final Map<String, LockTemplate> templates = new ConcurrentHashMap<>();
  private final Set<Method> warned = ConcurrentHashMap.newKeySet();

  /** Looked for at the first call: to ask for a bean by its type costs more than the lock. */
  private volatile @Nullable LockSettings settings;

  LockedInterceptor(
      LockedMethods methods, BeanFactory beans, Consumer<? super ApplicationEvent> events) {
    this.methods = methods;
    this.beans = beans;
    this.events = events;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    if (target == null) {
      return invocation.proceed();
    }
    LockedMethod locked = methods.get(invocation.getMethod(), AopUtils.getTargetClass(target));
    List<LockedCall.Step> steps = steps(locked, target, invocation.getArguments());
    if (steps.isEmpty()) {
      return invocation.proceed();
    }
    LockedCall call = new LockedCall(locked, target, invocation, steps, beans);
    return switch (locked.result()) {
      case VALUE -> value(call);
      case STAGE -> stage(call);
      case PUBLISHER -> new Publishing(events).publish(call);
    };
  }

  private List<LockedCall.Step> steps(
      LockedMethod locked, Object target, @Nullable Object[] arguments) {
    List<LockedCall.Step> steps = locked.constant().get();
    if (steps == null) {
      steps = read(locked, target, arguments);
      if (locked.isConstant()) {
        locked.constant().set(steps);
      }
    }
    return steps;
  }

  private List<LockedCall.Step> read(
      LockedMethod locked, Object target, @Nullable Object[] arguments) {
    EvaluationContext context =
        locked.needsContext() ? methods.context(locked, target, arguments) : NOTHING;
    if (locked.operations().size() == 1) {
      LockedOperation operation = locked.operations().get(0);
      return operation.applies(context) ? List.of(step(operation, context, arguments)) : List.of();
    }
    List<LockedCall.Step> steps = new ArrayList<>(locked.operations().size());
    for (LockedOperation operation : locked.operations()) {
      if (operation.applies(context)) {
        steps.add(step(operation, context, arguments));
      }
    }
    // The same order everywhere: two methods with the same locks do not wait for each other.
    steps.sort(Comparator.comparing(step -> step.request().names().get(0)));
    return steps;
  }

  private LockedCall.Step step(
      LockedOperation operation, EvaluationContext context, @Nullable Object[] arguments) {
    LockTemplate template = template(operation.keeper());
    LockRequest request =
        new LockRequest(
            operation.names(context, arguments),
            operation.mode(),
            operation.permits(),
            template.withDefaultWait(operation.options()));
    OnLoss onLoss = operation.onLoss() == OnLoss.DEFAULT ? settings().onLoss() : operation.onLoss();
    return new LockedCall.Step(operation, request, template, onLoss);
  }

  private LockTemplate template(String keeper) {
    LockTemplate template = templates.get(keeper);
    if (template == null) {
      template =
          new LockTemplate(
              keeper.isEmpty()
                  ? beans.getBean(Lockkeeper.class)
                  : beans.getBean(keeper, Lockkeeper.class),
              settings());
      templates.put(keeper, template);
    }
    return template;
  }

  private LockSettings settings() {
    LockSettings known = settings;
    if (known == null) {
      known = beans.getBeanProvider(LockSettings.class).getIfAvailable(LockSettings::defaults);
      settings = known;
    }
    return known;
  }

  // ------------------------------------------------------------- complete when it returns

  private @Nullable Object value(LockedCall call) throws Throwable {
    boolean wantsLeases = !call.locked().leaseParameters().isEmpty();
    try {
      return value(call, 0, wantsLeases ? new ArrayList<>(call.steps().size()) : List.of());
    } catch (NotInTime e) {
      for (Throwable failure : e.getSuppressed()) {
        throw failure; // of a release
      }
      return call.failed(e.step, e.timeout);
    }
  }

  /** Takes the locks from this one on, calls the method, and releases them. */
  private @Nullable Object value(LockedCall call, int index, List<HeldLease> leases)
      throws Throwable {
    if (index == call.steps().size()) {
      return call.proceed(leases);
    }
    LockedCall.Step step = call.steps().get(index);
    Hold hold = hold(call, step);
    boolean isReleasedHere = true;
    LossWatch watch = null;
    Object result;
    try {
      if (step.operation().release() == ReleasePoint.AFTER_TRANSACTION
          && TransactionEnd.isToCome()) {
        TransactionEnd.release(hold);
        isReleasedHere = false;
      }
      watch = LossWatch.over(hold, step.onLoss(), events, call);
      if (!call.locked().leaseParameters().isEmpty()) {
        leases.add(hold.lease());
      }
      if (step.operation().fenced()) {
        FencedWrites.hand(call.invocation(), new FencedWrites.Fenced(step.request().mode(), hold));
      }
      result = value(call, index + 1, leases);
    } catch (Throwable failure) {
      end(watch);
      if (isReleasedHere) {
        hold.releaseAfter(failure);
      }
      throw failure;
    }
    end(watch);
    if (isReleasedHere) {
      hold.release();
    }
    return result;
  }

  private static void end(@Nullable LossWatch watch) {
    if (watch != null) {
      watch.end();
    }
  }

  private Hold hold(LockedCall call, LockedCall.Step step) throws Exception {
    try {
      if (step.operation().release() == ReleasePoint.COMPLETION) {
        checkTransaction(step);
      }
      Duration atLeast = step.operation().atLeast();
      return atLeast == null
          ? step.template().hold(step.request())
          : Hold.keptClosed(step.template().holdOnce(step.request(), atLeast), atLeast);
    } catch (AcquireTimeoutException e) {
      throw new NotInTime(step, e);
    } catch (InterruptedException e) {
      throw interrupted(call.locked().method(), step.request(), e);
    }
  }

  /** One of the locks of a call was not to be had in time: the others are released first. */
  private static final class NotInTime extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient LockedCall.Step step;
    private final AcquireTimeoutException timeout;

    NotInTime(LockedCall.Step step, AcquireTimeoutException timeout) {
      super(null, timeout, true, false);
      this.step = step;
      this.timeout = timeout;
    }
  }

  private static Exception interrupted(
      Method method, LockRequest request, InterruptedException interrupt) {
    boolean declared =
        Arrays.stream(method.getExceptionTypes())
            .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
    return declared ? interrupt : LockTemplate.interrupted(request, interrupt);
  }

  private void checkTransaction(LockedCall.Step step) {
    InsideTransaction inside = settings().insideTransaction();
    if (inside == InsideTransaction.ALLOW
        || !TransactionEnd.isToCome()
        || step.template().isHeld(step.request())) {
      return;
    }
    Method method = step.operation().method();
    String what =
        "is called inside a transaction: its lock is released before the commit, so the next holder"
            + " does not see what it has written. Take the lock before the transaction begins, or"
            + " release it AFTER_TRANSACTION";
    IllegalStateException failure = LockedMethods.wrong(method, what);
    if (inside == InsideTransaction.FAIL) {
      throw failure;
    }
    if (warned.add(method)) {
      LOG.log(System.Logger.Level.WARNING, failure.getMessage());
    }
  }

  /** Releases each, whatever becomes of the others; throws the first failure. */
  static void releaseAll(Deque<Hold> held) {
    while (!held.isEmpty()) {
      try {
        held.pop().release();
      } catch (Throwable failure) {
        while (!held.isEmpty()) {
          held.pop().releaseAfter(failure);
        }
        throw failure;
      }
    }
  }

  // ------------------------------------------------------------- complete when a stage is

  private @Nullable Object stage(LockedCall call) throws Throwable {
    Deque<Hold> held = new ArrayDeque<>(call.steps().size());
    List<HeldLease> leases = new ArrayList<>(call.steps().size());
    CompletionStage<?> stage;
    try {
      for (LockedCall.Step step : call.steps()) {
        HeldLease lease;
        try {
          checkTransaction(step);
          lease = step.template().acquire(step.request());
        } catch (AcquireTimeoutException e) {
          releaseAll(held);
          return call.failed(step, e);
        } catch (InterruptedException e) {
          throw interrupted(call.locked().method(), step.request(), e);
        }
        leases.add(lease);
        held.push(Hold.ofLease(lease));
      }
      stage = (CompletionStage<?>) call.proceed(leases);
      if (stage == null) {
        throw LockedMethods.wrong(call.locked().method(), "has returned null instead of a stage");
      }
    } catch (Throwable failure) {
      while (!held.isEmpty()) {
        held.pop().releaseAfter(failure);
      }
      throw failure;
    }
    return untilComplete(call, stage, held, leases);
  }

  private CompletableFuture<Object> untilComplete(
      LockedCall call, CompletionStage<?> stage, Deque<Hold> held, List<HeldLease> leases) {
    CompletableFuture<Object> result = new CompletableFuture<>();
    AtomicBoolean running = new AtomicBoolean(true);
    for (int i = 0; i < leases.size(); i++) {
      OnLoss onLoss = call.steps().get(i).onLoss();
      if (onLoss == OnLoss.NONE) {
        continue;
      }
      leases
          .get(i)
          .onLost(
              loss -> {
                if (!running.get()) {
                  return;
                }
                if (onLoss == OnLoss.INTERRUPT) {
                  result.completeExceptionally(new LeaseLostException(loss));
                }
                events.accept(new LeaseLostEvent(call.target(), call.locked().method(), loss));
              });
    }
    var unused =
        stage.whenComplete(
            (value, thrown) -> {
              running.set(false);
              if (thrown == null) {
                try {
                  releaseAll(held);
                  result.complete(value);
                } catch (Throwable e) {
                  result.completeExceptionally(e);
                }
              } else {
                Throwable failure =
                    thrown instanceof CompletionException && thrown.getCause() != null
                        ? thrown.getCause()
                        : thrown;
                while (!held.isEmpty()) {
                  held.pop().releaseAfter(failure);
                }
                result.completeExceptionally(failure);
              }
            });
    cancelWith(result, stage, running);
    return result;
  }

  private static void cancelWith(
      CompletableFuture<?> result, CompletionStage<?> stage, AtomicBoolean running) {
    var unused =
        result.whenComplete(
            (value, thrown) -> {
              if (thrown != null && running.get()) {
                stage.toCompletableFuture().cancel(true);
              }
            });
  }
}
