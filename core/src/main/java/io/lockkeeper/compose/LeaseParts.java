package io.lockkeeper.compose;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.MultiLease;
import io.lockkeeper.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several leases that live and die together.
 *
 * <p>It ends once, see {@link LeaseEnd}: released by its holder, or lost because a part was lost or
 * the time of the whole was over. The thread that ends it releases the parts.
 */
final class LeaseParts implements MultiLease {

  /** The end of a bundle that has none. */
  static final long NO_END = Long.MAX_VALUE;

  private static final Scheduler.Cancellable NO_TIMER = () -> {};

  /**
   * One lease of a bundle.
   *
   * @param lease the lease
   * @param index its place in the tokens
   * @param own whether it is the bundle's to release; otherwise the holder had it before
   */
  record Part(Lease lease, int index, boolean own) {}

  private final Host host;
  private final List<Part> parts;

  /** Asked for while all is held: later, a part may have left its token to the next. */
  private final List<Long> tokens;

  private final long endNanos;
  private final LeaseEnd ending;
  private volatile Scheduler.Cancellable timer = NO_TIMER;

  /**
   * Ties leases together.
   *
   * @param parts the leases, in the order in which they were taken
   * @param endNanos when they end together, or {@link #NO_END}
   */
  LeaseParts(Host host, List<Part> parts, long endNanos) {
    this.host = host;
    this.parts = List.copyOf(parts);
    this.tokens = tokens(parts);
    this.endNanos = endNanos;
    this.ending = new LeaseEnd(host, () -> this.parts.get(0).lease().name());
  }

  /** Begins to listen for losses; once, after the constructor. */
  LeaseParts watched() {
    for (Part part : parts) {
      CompletionStage<LeaseLost> loss = part.lease().lost();
      loss.thenAccept(this::lose);
    }
    if (endNanos != NO_END) {
      timer = host.later(this::settle, Math.max(0, endNanos - host.nanos()));
      if (ending.hasCome()) {
        timer.cancel();
      }
    }
    return this;
  }

  List<Part> parts() {
    return parts;
  }

  private static List<Long> tokens(List<Part> parts) {
    Long[] tokens = new Long[parts.size()];
    for (Part part : parts) {
      tokens[part.index()] = part.lease().token();
    }
    return List.of(tokens);
  }

  @Override
  public List<Long> tokens() {
    return tokens;
  }

  @Override
  public boolean isValid() {
    return !ending.hasCome()
        && host.nanos() < endNanos
        && parts.stream().allMatch(part -> part.lease().isValid());
  }

  @Override
  public Duration remaining() {
    if (!isValid()) {
      return Duration.ZERO;
    }
    Duration least = Duration.ofNanos(Math.max(0, endNanos - host.nanos()));
    for (Part part : parts) {
      Duration left = part.lease().remaining();
      least = left.compareTo(least) < 0 ? left : least;
    }
    return least;
  }

  @Override
  public void onLost(Consumer<? super LeaseLost> action) {
    ending.onLost(action);
  }

  @Override
  public CompletionStage<LeaseLost> lost() {
    return ending.lost();
  }

  // ------------------------------------------------------------- ending

  boolean isReleased() {
    return ending.isRelease();
  }

  /** Notices a loss that has not been reported; returns the loss, or null if there is none. */
  @Nullable LeaseLost settle() {
    if (!ending.hasCome() && !isValid()) {
      lose(findLoss());
    }
    return ending.loss();
  }

  private LeaseLost findLoss() {
    for (Part part : parts) {
      if (!part.lease().isValid()) {
        return lossOf(part.lease());
      }
    }
    Lease first = parts.get(0).lease();
    return new LeaseLost(
        first.kind(), first.name(), first.token(), LeaseLost.Reason.FIXED_LEASE_ENDED);
  }

  /** Returns why a lease that is not valid any more is lost. */
  private static LeaseLost lossOf(Lease over) {
    try {
      over.release(); // changes nothing, but throws the loss
    } catch (LeaseLostException lost) {
      return lost.loss();
    }
    return new LeaseLost(over.kind(), over.name(), over.token(), LeaseLost.Reason.NOT_AT_STORE);
  }

  private void lose(LeaseLost loss) {
    if (ending.lose(loss)) {
      timer.cancel();
      // Waits for no store, so that listeners are notified at once. Failures are expected: a part
      // is lost.
      releaseParts(Lease::releaseAsync);
      ending.tell(loss);
    }
  }

  /** Ends it as released; returns false if it was over before. The caller releases the parts. */
  boolean end() {
    boolean ended = ending.release();
    if (ended) {
      timer.cancel();
    }
    return ended;
  }

  /** Throws what went wrong when the parts were released, and notifies of a loss among it. */
  void tell(Failed failed) {
    hear(failed.first);
    failed.rethrow();
  }

  @Override
  public void release() {
    LeaseLost loss = settle();
    if (loss == null && end()) {
      tell(releaseParts(Lease::release));
    } else if (loss != null && ending.holderIsToHear()) {
      throw new LeaseLostException(loss);
    }
  }

  @Override
  public CompletionStage<Void> releaseAsync() {
    LeaseLost loss = settle();
    if (loss != null && ending.holderIsToHear()) {
      return CompletableFuture.failedStage(new LeaseLostException(loss));
    }
    end();
    List<CompletableFuture<Void>> released = new ArrayList<>();
    for (int i = parts.size() - 1; i >= 0; i--) {
      Part part = parts.get(i);
      if (part.own()) {
        released.add(
            released(part).whenComplete((done, failure) -> hear(failure)).toCompletableFuture());
      }
    }
    return CompletableFuture.allOf(released.toArray(CompletableFuture[]::new))
        .minimalCompletionStage();
  }

  private static CompletionStage<Void> released(Part part) {
    try {
      return part.lease().releaseAsync();
    } catch (Throwable failure) { // an error too: the others are to be released
      return CompletableFuture.failedStage(failure);
    }
  }

  /** Notifies of a loss that was found when a part was released. */
  private void hear(@Nullable Throwable failure) {
    if (failure instanceof LeaseLostException over) {
      ending.tell(over.loss());
    }
  }

  @Override
  public void close() {
    release();
  }

  /** Releases what is the bundle's, the last first. */
  private Failed releaseParts(Consumer<Lease> way) {
    Failed failed = new Failed();
    for (int i = parts.size() - 1; i >= 0; i--) {
      Part part = parts.get(i);
      if (part.own()) {
        failed.unless(() -> way.accept(part.lease()));
      }
    }
    return failed;
  }

  /** The failures while several things were released: the first one, with the others in it. */
  static final class Failed {

    private @Nullable Throwable first;

    void unless(Runnable letGo) {
      try {
        letGo.run();
      } catch (Throwable failure) { // an error too: the others are to be released
        if (first == null) {
          first = failure;
        } else {
          first.addSuppressed(failure);
        }
      }
    }

    /** Throws what failed first. */
    void rethrow() {
      if (first instanceof Error error) {
        throw error;
      } else if (first instanceof RuntimeException unchecked) {
        throw unchecked;
      }
    }

    /**
     * The same for what was taken in vain: nobody counts on it, and a release that was not
     * confirmed is repeated by itself.
     */
    void rethrowUnexpected() {
      if (!(first instanceof LockkeeperException)) {
        rethrow();
      }
    }
  }

  @Override
  public String toString() {
    return "multi-lease of " + parts.stream().map(Part::lease).toList();
  }
}
