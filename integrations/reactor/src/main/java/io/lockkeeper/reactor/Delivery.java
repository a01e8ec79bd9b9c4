package io.lockkeeper.reactor;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.HeldLease;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * The way of one lease to {@code usingWhen}, which takes care of each that it receives, also as it
 * is cancelled. It ends in one of two ways: the lease was received, or the subscription cancelled
 * before and the lease is released. Both are steps on {@link #content}, so that exactly one of them
 * happens.
 */
final class Delivery<L extends HeldLease> {

  private static final Object OVER = new Object();

  /** Null at first, then the lease, then {@link #OVER}; {@code OVER} at once if cancelled. */
  private final AtomicReference<@Nullable Object> content = new AtomicReference<>();

  Mono<L> of(
      Function<AcquireOptions, CompletionStage<? extends L>> source, AcquireOptions options) {
    return Mono.<L>create(sink -> ask(source.apply(options), sink))
        .doOnNext(lease -> content.set(OVER));
  }

  private void ask(CompletionStage<? extends L> stage, MonoSink<L> sink) {
    // This stage itself, and not one that follows it: who cancels that leaves the queue.
    sink.onCancel(
        () -> {
          stage.toCompletableFuture().cancel(false);
          cancel();
        });
    var unused =
        stage.whenCompleteAsync(
            (lease, failure) -> {
              if (failure != null) {
                sink.error(
                    failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure);
              } else if (content.compareAndSet(null, lease)) {
                sink.success(lease);
              } else {
                release(lease);
              }
            },
            Schedulers.parallel()::schedule);
  }

  private void cancel() {
    Object had = content.getAndSet(OVER);
    if (had instanceof HeldLease lease) {
      release(lease);
    }
  }

  /** Releases; nobody is interested in a loss any more. */
  private static void release(HeldLease lease) {
    var unused = lease.releaseAsync();
  }
}
