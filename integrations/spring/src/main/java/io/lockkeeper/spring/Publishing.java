package io.lockkeeper.spring;

import io.lockkeeper.HeldLease;
import io.lockkeeper.reactor.ReactorLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.context.ApplicationEvent;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Calls whose result is a publisher: each subscription acquires, works and releases, as {@link
 * ReactorLock} does. So are suspending functions of Kotlin, which are a publisher to an advice that
 * stands between the caller and them.
 */
final class Publishing {

  private final Consumer<? super ApplicationEvent> events;

  Publishing(Consumer<? super ApplicationEvent> events) {
    this.events = events;
  }

  Object publish(LockedCall call) {
    ReactiveAdapter adapter = adapter(call);
    Flux<Object> work = Flux.defer(() -> nest(call, adapter, 0, new ArrayList<>()));
    return adapter.fromPublisher(adapter.isMultiValue() ? work : work.singleOrEmpty());
  }

  private static ReactiveAdapter adapter(LockedCall call) {
    Class<?> type = call.locked().method().getReturnType();
    if (KotlinDetector.isSuspendingFunction(call.locked().method())) {
      Class<?> declared = new MethodParameter(call.locked().method(), -1).getParameterType();
      type = declared.getName().equals("kotlinx.coroutines.flow.Flow") ? Flux.class : Mono.class;
    }
    ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
    if (adapter == null) {
      throw new IllegalStateException("no adapter for " + call.locked().method());
    }
    return adapter;
  }

  private Publisher<Object> nest(
      LockedCall call, ReactiveAdapter adapter, int depth, List<HeldLease> leases) {
    if (depth == call.steps().size()) {
      return publisher(adapter, call::proceed, leases);
    }
    LockedCall.Step step = call.steps().get(depth);
    return lock(step)
        .usingMany(
            lease -> {
              leases.add(lease);
              return announcingLoss(nest(call, adapter, depth + 1, leases), call, step, lease);
            },
            timeout -> publisher(adapter, none -> call.failed(step, timeout), List.of()));
  }

  private static ReactorLock<?> lock(LockedCall.Step step) {
    LockRequest request = step.request();
    ReactorLock<?> lock =
        (request.permits() > 0
                ? ReactorLock.of(step.template().semaphore(request))
                : ReactorLock.of(step.template().lock(request)))
            .with(request.options());
    return step.onLoss() == OnLoss.INTERRUPT ? lock.withCancelOnLoss() : lock;
  }

  private Publisher<Object> announcingLoss(
      Publisher<Object> work, LockedCall call, LockedCall.Step step, HeldLease lease) {
    if (step.onLoss() == OnLoss.NONE) {
      return work;
    }
    AtomicBoolean running = new AtomicBoolean(true);
    lease.onLost(
        loss -> {
          if (running.get()) {
            events.accept(new LeaseLostEvent(call.target(), call.locked().method(), loss));
          }
        });
    // Not when it is cancelled: that may be because of the loss.
    return Flux.from(work).doOnTerminate(() -> running.set(false));
  }

  private static Publisher<Object> publisher(
      ReactiveAdapter adapter, LockedCall.Body body, List<HeldLease> leases) {
    @Nullable Object result;
    try {
      result = body.run(leases);
    } catch (Throwable e) {
      return Flux.error(e);
    }
    if (result == null || adapter.getReactiveType().isInstance(result)) {
      return adapter.toPublisher(result);
    }
    return Flux.just(result); // a handler of failures may answer with a value
  }
}
