package io.lockkeeper.spring;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.HeldLease;
import io.lockkeeper.LeaseLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.context.ApplicationEvent;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Calls whose result is a publisher: each subscription acquires, works and releases. */
final class Publishing {

  static final boolean IS_POSSIBLE =
      ClassUtils.isPresent("reactor.core.publisher.Flux", Publishing.class.getClassLoader());

  private final Consumer<? super ApplicationEvent> events;

  Publishing(Consumer<? super ApplicationEvent> events) {
    this.events = events;
  }

  Object publish(LockedCall call) {
    ReactiveAdapter adapter =
        ReactiveAdapterRegistry.getSharedInstance()
            .getAdapter(call.locked().method().getReturnType());
    if (adapter == null) {
      throw new IllegalStateException("no adapter for " + call.locked().method());
    }
    Flux<Object> work = Flux.defer(() -> nest(call, adapter, 0, new ArrayList<>()));
    return adapter.fromPublisher(adapter.isMultiValue() ? work : work.singleOrEmpty());
  }

  private Flux<Object> nest(
      LockedCall call, ReactiveAdapter adapter, int depth, List<HeldLease> leases) {
    if (depth == call.steps().size()) {
      return Flux.defer(() -> publisher(adapter, call::proceed, leases));
    }
    LockedCall.Step step = call.steps().get(depth);
    Slot slot = new Slot();
    Mono<HeldLease> acquired =
        Mono.<HeldLease>fromCompletionStage(() -> slot.await(step))
            .publishOn(Schedulers.parallel())
            .onErrorMap(AcquireTimeoutException.class, e -> new Failed(step, e));
    return Flux.usingWhen(
            acquired,
            lease -> {
              leases.add(lease);
              return whileHeld(nest(call, adapter, depth + 1, leases), call, step, lease);
            },
            lease -> Mono.fromRunnable(lease::release),
            (lease, failure) -> Mono.fromRunnable(() -> Hold.ofLease(lease).releaseAfter(failure)),
            lease -> Mono.fromRunnable(slot::close))
        .doFinally(signal -> slot.close())
        .onErrorResume(
            e -> e instanceof Failed failed && failed.step.equals(step),
            e -> instead(call, adapter, (Failed) e));
  }

  private Flux<Object> whileHeld(
      Flux<Object> work, LockedCall call, LockedCall.Step step, HeldLease lease) {
    if (step.onLoss() == OnLoss.NONE) {
      return work;
    }
    return Flux.defer(
        () -> {
          AtomicBoolean running = new AtomicBoolean(true);
          lease.onLost(
              loss -> {
                if (running.get()) {
                  events.accept(new LeaseLostEvent(call.target(), call.locked().method(), loss));
                }
              });
          Flux<Object> watched =
              step.onLoss() == OnLoss.INTERRUPT
                  ? work.takeUntilOther(
                      Mono.fromFuture(lease.lost().toCompletableFuture(), true)
                          .flatMap(loss -> Mono.error(new LeaseLostException(loss))))
                  : work;
          return watched.doFinally(signal -> running.set(false));
        });
  }

  private static Flux<Object> instead(LockedCall call, ReactiveAdapter adapter, Failed failed) {
    return Flux.defer(
        () -> publisher(adapter, leases -> call.failed(failed.step, failed.timeout), List.of()));
  }

  private static Flux<Object> publisher(
      ReactiveAdapter adapter, LockedCall.Body body, List<HeldLease> leases) {
    Object result;
    try {
      result = body.run(leases);
    } catch (Throwable e) {
      return Flux.error(e);
    }
    Publisher<Object> publisher = adapter.toPublisher(result);
    return Flux.from(publisher);
  }

  /** What one subscription gets, whenever it comes: a lease that comes too late is given back. */
  private static final class Slot {

    private static final Object CLOSED = new Object();

    private final AtomicReference<@Nullable Object> content = new AtomicReference<>();

    /** Returns the stage itself, and not one that follows it: who cancels that leaves the queue. */
    CompletionStage<? extends HeldLease> await(LockedCall.Step step) {
      CompletionStage<? extends HeldLease> stage = step.template().acquireAsync(step.request());
      var unused =
          stage.whenComplete(
              (lease, failure) -> {
                if (lease != null && !content.compareAndSet(null, lease)) {
                  release(lease);
                }
              });
      return stage;
    }

    void close() {
      if (content.getAndSet(CLOSED) instanceof HeldLease lease) {
        release(lease);
      }
    }

    private static void release(HeldLease lease) {
      try {
        lease.release();
      } catch (LeaseLostException e) {
        // Whoever was interested in it has gone.
      }
    }
  }

  /** Says which lock was not had in time. */
  private static final class Failed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient LockedCall.Step step;
    private final AcquireTimeoutException timeout;

    Failed(LockedCall.Step step, AcquireTimeoutException timeout) {
      super(timeout);
      this.step = step;
      this.timeout = timeout;
    }
  }
}
