package io.lockkeeper.engine.view;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shows users a lease: a hold, and the way to its coordinator. */
class LeaseView implements Lease {

  private static final Duration LONGEST_REST = Duration.ofMillis(ClaimRequest.MAX_LEASE_MILLIS);

  final ClientRuntime runtime;
  final ResourceCoordinator coordinator;
  final Hold hold;

  /** Whether a release waits for the store. */
  private final boolean confirms;

  /** Whether {@link #release()} has already told the holder about the loss. */
  private final AtomicBoolean lossTold = new AtomicBoolean();

  LeaseView(ClientRuntime runtime, ResourceCoordinator coordinator, Hold hold, boolean confirms) {
    this.runtime = runtime;
    this.coordinator = coordinator;
    this.hold = hold;
    this.confirms = confirms;
  }

  @Override
  public ResourceKind kind() {
    return coordinator.resource().kind();
  }

  @Override
  public String name() {
    return coordinator.name();
  }

  @Override
  public boolean isExclusive() {
    return kind().isExclusive()
        || (kind() == ResourceKind.READ_WRITE_LOCK && hold.permits() == Share.ALL);
  }

  @Override
  public long token() {
    return hold.token();
  }

  @Override
  public boolean isValid() {
    boolean valid = hold.isValid(runtime.now());
    if (runtime.isInDoubt()) {
      runtime.scanBy(Instants.NEVER);
    }
    return valid;
  }

  @Override
  public Duration remaining() {
    long now = runtime.now();
    return hold.isValid(now)
        ? Duration.ofNanos(Math.max(0, hold.validUntilNanos() - now))
        : Duration.ZERO;
  }

  @Override
  public void onLost(Consumer<? super LeaseLost> action) {
    Objects.requireNonNull(action, "action");
    coordinator.whenLost(hold, loss -> runtime.execute(() -> tell(action, loss)));
  }

  private void tell(Consumer<? super LeaseLost> action, LeaseLost loss) {
    try {
      action.accept(loss);
    } catch (Throwable failure) { // an error too: what runs user code goes on
      runtime.reportFailure("'" + name() + "': an onLost action failed", failure);
    }
  }

  @Override
  public CompletionStage<LeaseLost> lost() {
    return coordinator.lossOf(hold).minimalCompletionStage();
  }

  @Override
  public void renew(Duration lease) {
    AcquireOptions.defaults().withFixedLease(lease); // checks its bounds
    CompletableFuture<@Nullable Void> renewed = coordinator.renew(hold, lease.toNanos());
    if (renewed == null) {
      throw over();
    }
    StoreCalls.await(renewed);
  }

  @Override
  public void release() {
    if (coordinator.release(hold)) {
      if (confirms) {
        coordinator.awaitConfirmed(hold);
      }
    } else if (isLossNews()) {
      throw over();
    }
  }

  @Override
  public CompletionStage<Void> releaseAsync() {
    if (!coordinator.release(hold) && isLossNews()) {
      return CompletableFuture.failedStage(over());
    }
    return told(coordinator.confirmation(hold));
  }

  @Override
  public void releaseAfter(Duration rest) {
    CompletableFuture<@Nullable Void> known = rest(rest);
    if (known != null) {
      coordinator.awaitConfirmed(known);
    }
  }

  @Override
  public CompletionStage<Void> releaseAfterAsync(Duration rest) {
    try {
      CompletableFuture<@Nullable Void> known = rest(rest);
      return told(known == null ? coordinator.confirmation(hold) : known);
    } catch (LeaseLostException lost) {
      return CompletableFuture.failedStage(lost);
    }
  }

  /** Checks how long a lock is to stay closed after its release. */
  static void checkRest(String what, Duration rest) {
    Objects.requireNonNull(rest, what);
    if (rest.isNegative() || rest.compareTo(LONGEST_REST) > 0) {
      throw new IllegalArgumentException(
          what + " must be from 0 to 24 h, was " + DurationText.of(rest));
    }
  }

  /** Ends it; returns what completes when the store knows, or null if it was over before. */
  private @Nullable CompletableFuture<@Nullable Void> rest(Duration rest) {
    checkRest("rest", rest);
    CompletableFuture<@Nullable Void> known;
    if (rest.isZero()) {
      known = coordinator.release(hold) ? coordinator.confirmation(hold) : null;
    } else {
      known = coordinator.rest(hold, rest.toNanos());
    }
    if (known == null && isLossNews()) {
      throw over();
    }
    return known;
  }

  private CompletionStage<Void> told(CompletableFuture<@Nullable Void> confirmation) {
    return confirmation.thenRunAsync(() -> {}, runtime.executor()).minimalCompletionStage();
  }

  private boolean isLossNews() {
    return hold.state() == Hold.State.LOST && lossTold.compareAndSet(false, true);
  }

  @Override
  public void close() {
    release();
  }

  final RuntimeException over() {
    LeaseLost loss = hold.loss();
    return loss != null
        ? new LeaseLostException(loss)
        : new IllegalStateException("this lease of '" + coordinator.name() + "' was released");
  }

  @Override
  public String toString() {
    return "lease of '" + coordinator.name() + "' with token " + hold.token() + ", " + hold.state();
  }
}
