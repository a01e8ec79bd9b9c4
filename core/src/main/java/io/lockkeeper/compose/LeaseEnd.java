package io.lockkeeper.compose;

import io.lockkeeper.LeaseLost;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a lease that is made of others. It comes once, by a compare-and-set: its holder has
 * released it, or it was lost. The thread that ends it releases the others.
 */
final class LeaseEnd {

  /** Lost if there is a loss, otherwise released. */
  private record Ending(@Nullable LeaseLost loss) {}

  private static final Ending RELEASED = new Ending(null);

  private final Host host;
  private final Supplier<String> name;
  private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
  private final CompletableFuture<LeaseLost> lost = new CompletableFuture<>();
  private final AtomicBoolean holderHasHeard = new AtomicBoolean();

  /**
   * Makes the end of a lease that is held.
   *
   * @param name whose it is, for the log
   */
  LeaseEnd(Host host, Supplier<String> name) {
    this.host = host;
    this.name = name;
  }

  /** Returns whether it has come. */
  boolean hasCome() {
    return ending.get() != null;
  }

  boolean isRelease() {
    Ending end = ending.get();
    return end != null && end.loss() == null;
  }

  /** Returns what was lost, or null if it was released or is held. */
  @Nullable LeaseLost loss() {
    Ending end = ending.get();
    return end == null ? null : end.loss();
  }

  /** Ends it as released; returns false if it was over before. */
  boolean release() {
    return ending.compareAndSet(null, RELEASED);
  }

  /** Ends it as lost; returns false if it was over before. {@link #tell} has to follow. */
  boolean lose(LeaseLost loss) {
    return ending.compareAndSet(null, new Ending(loss));
  }

  /** Notifies those who wait for a loss. */
  void tell(LeaseLost loss) {
    host.execute(() -> lost.complete(loss));
  }

  /** Returns whether the holder has yet to get an exception for the loss; true once. */
  boolean holderIsToHear() {
    return holderHasHeard.compareAndSet(false, true);
  }

  /** Runs an action when it is lost. What the action throws is logged. */
  void onLost(Consumer<? super LeaseLost> action) {
    Objects.requireNonNull(action, "action");
    CompletionStage<Void> told = lost.thenAcceptAsync(action, host::execute);
    told.exceptionally(
        failure -> {
          host.reportFailure("'" + name.get() + "': an onLost action failed", failure);
          return null;
        });
  }

  /** Returns a stage that completes when it is lost. */
  CompletionStage<LeaseLost> lost() {
    return lost.minimalCompletionStage();
  }
}
