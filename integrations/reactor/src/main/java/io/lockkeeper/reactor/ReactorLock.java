package io.lockkeeper.reactor;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HeldLease;
import io.lockkeeper.LeaseLock;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.PermitLease;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A lock, or permits of a semaphore, around the work of publishers.
 *
 * <pre>{@code
 * Mono<Integer> left =
 *     ReactorLock.of(keeper.lock("stock:1001")).using(lease -> stock.deduct(1, lease.token()));
 * }</pre>
 *
 * <p><b>Each subscription</b> acquires a lease of its own, without blocking a thread, and holds it
 * until its work has completed, failed or was cancelled. No thread owns it, and it never re-enters:
 * work that asks for the lock that it is done under waits for itself, unless the options limit the
 * wait.
 *
 * <p><b>Threads.</b> Work begins, and the signals of this class arrive, on {@link
 * Schedulers#parallel()}; the signals of the work in between stay where they are. The Reactor
 * context of the subscriber is that of the work.
 *
 * <p><b>The end.</b> After work that has succeeded, the store confirms the release before the
 * subscriber gets the last signal, so the next request finds the lock free; a store that does not
 * answer delays that signal by the rest of the lease at most. An error goes on at once, as a
 * cancellation does, with the release on its way. A lease that was lost during work that threw
 * nothing is a {@link LeaseLostException}, because the work may not have been alone; after an error
 * it is suppressed in that.
 *
 * <p><b>Cancellation</b> while waiting withdraws the claim; what was granted by then is released. A
 * publisher of leases could not promise that, because most operators drop an element that reaches
 * them as they are cancelled: so there is none.
 *
 * <p>Failures of the store and of the client arrive as errors, as {@link LeaseLock#acquireAsync()}
 * reports them. Immutable; each {@code with} method returns a changed copy.
 *
 * @param <L> the leases that it gives
 */
public final class ReactorLock<L extends HeldLease> {

  private final Function<AcquireOptions, CompletionStage<? extends L>> source;
  private final AcquireOptions options;
  private final boolean cancelsOnLoss;

  private ReactorLock(
      Function<AcquireOptions, CompletionStage<? extends L>> source,
      AcquireOptions options,
      boolean cancelsOnLoss) {
    this.source = source;
    this.options = options;
    this.cancelsOnLoss = cancelsOnLoss;
  }

  /**
   * Returns a lock's leases: those of a lock, of either side of a read-write lock, of a multi-lock
   * or of a quorum.
   */
  public static <L extends HeldLease> ReactorLock<L> of(LeaseLock<L> lock) {
    return new ReactorLock<>(lock::acquireAsync, AcquireOptions.defaults(), false);
  }

  /** Returns a semaphore's leases of one permit each. */
  public static ReactorLock<PermitLease> of(DistributedSemaphore semaphore) {
    return of(semaphore, 1);
  }

  /**
   * Returns a semaphore's leases of so many permits each.
   *
   * @param permits at least 1; more than the semaphore has are an {@link IllegalArgumentException}
   *     for the subscriber
   * @throws IllegalArgumentException if {@code permits} is not positive
   */
  public static ReactorLock<PermitLease> of(DistributedSemaphore semaphore, int permits) {
    Objects.requireNonNull(semaphore, "semaphore");
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be at least 1, was " + permits);
    }
    return new ReactorLock<>(
        options -> semaphore.acquireAsync(permits, options), AcquireOptions.defaults(), false);
  }

  /** Sets the limit on the wait, and the fixed time for which to hold. */
  public ReactorLock<L> with(AcquireOptions options) {
    return new ReactorLock<>(source, Objects.requireNonNull(options, "options"), cancelsOnLoss);
  }

  /** Ends work with a {@link LeaseLostException}, and cancels it, when its lease is lost. */
  public ReactorLock<L> withCancelOnLoss() {
    return new ReactorLock<>(source, options, true);
  }

  // ------------------------------------------------------------- around some work

  /**
   * Does work with a lease held.
   *
   * @param body makes the work; called for each subscription, once the lease is there
   * @param <T> the result
   * @return the work's result, an {@link AcquireTimeoutException} if the options limit the wait and
   *     it has passed, or another error as above
   */
  public <T> Mono<T> using(Function<? super L, ? extends Mono<? extends T>> body) {
    return this.<T>held(body, null).singleOrEmpty();
  }

  /**
   * As {@link #using(Function)}, with something else to do if the wait is over.
   *
   * @param instead makes what is subscribed to if there was no lease in time; an {@link
   *     AcquireTimeoutException} of the work itself does not call it
   */
  public <T> Mono<T> using(
      Function<? super L, ? extends Mono<? extends T>> body,
      Function<? super AcquireTimeoutException, ? extends Mono<? extends T>> instead) {
    return this.<T>held(body, Objects.requireNonNull(instead, "instead")).singleOrEmpty();
  }

  /**
   * Does work of many results with a lease held, from the subscription to the end of the last one.
   *
   * @param body makes the work; called for each subscription, once the lease is there
   * @param <T> the results
   * @return the work's results, or errors as {@link #using(Function)}
   */
  public <T> Flux<T> usingMany(Function<? super L, ? extends Publisher<? extends T>> body) {
    return held(body, null);
  }

  /** As {@link #usingMany(Function)}, with something else to do if the wait is over. */
  public <T> Flux<T> usingMany(
      Function<? super L, ? extends Publisher<? extends T>> body,
      Function<? super AcquireTimeoutException, ? extends Publisher<? extends T>> instead) {
    return held(body, Objects.requireNonNull(instead, "instead"));
  }

  private <T> Flux<T> held(
      Function<? super L, ? extends Publisher<? extends T>> body,
      @Nullable Function<? super AcquireTimeoutException, ? extends Publisher<? extends T>>
          instead) {
    Objects.requireNonNull(body, "body");
    Mono<L> acquired = Mono.defer(() -> new Delivery<L>().of(source, options));
    Mono<Attempt<L>> attempt = acquired.map(lease -> new Attempt<>(lease, null));
    if (instead != null) {
      attempt =
          attempt.onErrorResume(
              AcquireTimeoutException.class, e -> Mono.just(new Attempt<>(null, e)));
    }
    return Flux.usingWhen(
        attempt,
        had -> had.lease == null ? instead(instead, had) : work(body, had.lease),
        had -> Mono.empty(),
        (had, failure) -> Mono.fromRunnable(() -> had.releaseAfter(failure)),
        had -> Mono.fromRunnable(() -> had.releaseAfter(null)));
  }

  private static <T> Publisher<? extends T> instead(
      @Nullable Function<? super AcquireTimeoutException, ? extends Publisher<? extends T>> instead,
      Attempt<?> had) {
    return Objects.requireNonNull(instead).apply(Objects.requireNonNull(had.timeout));
  }

  /** The release is the end of the work, so that its failure is an error like the others. */
  private <T> Flux<T> work(Function<? super L, ? extends Publisher<? extends T>> body, L lease) {
    Flux<T> work = Flux.from(body.apply(lease));
    if (cancelsOnLoss) {
      CompletableFuture<? extends LeaseLost> lost = lease.lost().toCompletableFuture();
      // An error of the other publisher would not cancel the work: its value does.
      work =
          work.takeUntilOther(Mono.fromFuture(lost, true).publishOn(Schedulers.parallel()))
              .concatWith(Mono.defer(() -> lost.isDone() ? lost(lost.join()) : Mono.empty()));
    }
    Mono<T> released =
        Mono.fromCompletionStage(lease::releaseAsync)
            .publishOn(Schedulers.parallel())
            .onErrorComplete(LockkeeperClosedException.class) // released, and nobody to confirm it
            .then(Mono.empty());
    return work.concatWith(released);
  }

  private static <T> Mono<T> lost(LeaseLost loss) {
    return Mono.error(new LeaseLostException(loss));
  }

  /** The result of an acquisition: a lease, or the end of the wait. */
  private record Attempt<L extends HeldLease>(
      @Nullable L lease, @Nullable AcquireTimeoutException timeout) {

    /** Releases without waiting; a loss is suppressed in the failure, if there is one. */
    void releaseAfter(@Nullable Throwable failure) {
      if (lease == null) {
        return;
      }
      var unused =
          lease
              .releaseAsync()
              .whenComplete(
                  (done, more) -> {
                    if (failure != null
                        && more instanceof LeaseLostException
                        && !(failure instanceof LeaseLostException)) {
                      failure.addSuppressed(more);
                    }
                  });
    }
  }
}
