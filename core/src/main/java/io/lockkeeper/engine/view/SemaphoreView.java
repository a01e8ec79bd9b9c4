package io.lockkeeper.engine.view;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.PermitLease;
import io.lockkeeper.engine.coordination.Promise;
import io.lockkeeper.engine.coordination.Requests;
import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.coordination.ResourceCoordinators;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.RegisterUpdates;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Shows users a semaphore: a name and a number, without state of its own. */
final class SemaphoreView implements DistributedSemaphore {

  /** How often {@link #drainPermits} tries again because somebody was faster. */
  private static final int DRAIN_ATTEMPTS = 100;

  private final Requests requests;
  private final ResourceCoordinators resources;
  private final ClientRuntime runtime;
  private final ResourceId resource;
  private final String name;
  private final int limit;
  private final LimitCheck check;

  SemaphoreView(Requests requests, int limit, LimitCheck check) {
    this.requests = requests;
    this.resources = requests.resources();
    this.runtime = resources.runtime();
    this.resource = requests.resource();
    this.name = requests.name();
    this.limit = limit;
    this.check = check;
  }

  @Override
  public String name() {
    return name;
  }

  // ------------------------------------------------------------- acquiring

  @Override
  public PermitLease acquire(int permits, AcquireOptions options) throws InterruptedException {
    Objects.requireNonNull(options, "options");
    return Objects.requireNonNull(acquire(permits, requests.as(options, share(permits)).orThrow()));
  }

  @Override
  public Optional<PermitLease> tryAcquire(int permits, Duration wait) throws InterruptedException {
    AcquireOptions options = AcquireOptions.defaults().withWait(wait);
    return Optional.ofNullable(acquire(permits, requests.as(options, share(permits))));
  }

  private @Nullable PermitLease acquire(int permits, Requests.Asked asked)
      throws InterruptedException {
    Requests.throwIfInterrupted();
    checkThatThereAreSoMany(permits);
    return view(requests.acquireInterruptibly(asked, null));
  }

  @Override
  public Optional<PermitLease> tryAcquire(int permits) {
    Requests.Asked asked = requests.once(share(permits));
    checkThatThereAreSoMany(permits);
    return Optional.ofNullable(view(requests.acquire(asked, null)));
  }

  @Override
  public CompletionStage<PermitLease> acquireAsync(int permits, AcquireOptions options) {
    Requests.Asked asked = requests.as(options, share(permits));
    Promise<PermitLease> promise =
        new Promise<>(
            (coordinator, hold) -> {
              check.used(resource, limit);
              return new PermitView(runtime, coordinator, hold);
            });
    requests.observe(asked, promise);
    if (permits <= limit || runtime.isClosed()) {
      return requests.acquireAsync(asked, promise);
    }
    StoreCalls.tell(
        runtime,
        name,
        () -> runtime.store().inspect(resource),
        outcome -> runtime.execute(() -> enter(permits, outcome, asked, promise)));
    return promise.future();
  }

  private void enter(
      int permits,
      Outcome<Inspection> outcome,
      Requests.Asked asked,
      Promise<PermitLease> promise) {
    try {
      enterIfThereAreSoMany(permits, outcome, asked, promise);
    } catch (Throwable failure) { // an error too: somebody waits for the promise
      promise.fail(failure);
    }
  }

  private void enterIfThereAreSoMany(
      int permits,
      Outcome<Inspection> outcome,
      Requests.Asked asked,
      Promise<PermitLease> promise) {
    RuntimeException tooMany = tooMany(permits, outcome);
    if (tooMany != null) {
      promise.fail(tooMany);
    } else if (!promise.future().isDone()) {
      requests
          .acquireAsync(asked, promise)
          .exceptionally(
              failure -> {
                promise.fail(failure); // if it could not even enter
                return null;
              });
    }
  }

  private Share share(int permits) {
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be positive, was " + permits);
    }
    return new Share(permits, limit, false);
  }

  /** Asks the store about the limit, but only about more permits than this object was made with. */
  private void checkThatThereAreSoMany(int permits) {
    if (permits > limit) {
      runtime.checkOpen(name);
      RuntimeException tooMany =
          tooMany(
              permits,
              StoreCalls.once(
                  runtime,
                  () -> {
                    resources.awaitSent(resource);
                    return runtime.store().inspect(resource);
                  }));
      if (tooMany != null) {
        throw tooMany;
      }
    }
  }

  /** Returns why not to ask for so many permits, or null; an unknown limit is no reason. */
  private @Nullable RuntimeException tooMany(int permits, @Nullable Outcome<Inspection> outcome) {
    if (outcome instanceof Outcome.Answered<Inspection> answered
        && permits > Math.max(limit, answered.answer().limit().orElse(0))) {
      int most = Math.max(limit, answered.answer().limit().orElse(0));
      return new IllegalArgumentException(
          "'" + name + "' has " + most + " permits, " + permits + " were asked for");
    }
    return null;
  }

  private @Nullable PermitLease view(@Nullable Hold hold) {
    check.used(resource, limit);
    return hold == null ? null : new PermitView(runtime, resources.of(resource), hold);
  }

  @Override
  public Optional<PermitLease> drainPermits() {
    for (int attempt = 0; attempt < DRAIN_ATTEMPTS; attempt++) {
      Inspection inspection = inspect();
      int free = available(inspection);
      if (free <= 0 || inspection.waiting() > 0) {
        return Optional.empty();
      }
      PermitLease lease = view(requests.acquire(requests.once(share(free)), null));
      if (lease != null) {
        return Optional.of(lease);
      }
    }
    return Optional.empty();
  }

  // ------------------------------------------------------------- by id

  @Override
  public boolean release(String id) {
    PermitId permit = PermitId.parse(id);
    runtime.checkOpen(name);
    ResourceCoordinator coordinator = ownGate(permit);
    if (coordinator != null && coordinator.release(permit.grant())) {
      return true;
    }
    if (coordinator != null && coordinator.isReleasing(permit.grant())) {
      return false;
    }
    ReleaseRequest request =
        new ReleaseRequest(resource, permit.clientId(), permit.grant(), 0, null);
    return isHeld(permit)
        && StoreCalls.ended(
            runtime, name, () -> runtime.store().release(request), ReleaseAnswer::released);
  }

  private boolean isHeld(PermitId permit) {
    return inspect().holders().stream()
        .anyMatch(
            holder ->
                holder.clientId().equals(permit.clientId()) && holder.grant() == permit.grant());
  }

  @Override
  public boolean renew(String id, Duration lease) {
    PermitId permit = PermitId.parse(id);
    AcquireOptions.defaults().withFixedLease(lease); // checks its bounds
    runtime.checkOpen(name);
    ResourceCoordinator coordinator = ownGate(permit);
    Hold hold = coordinator == null ? null : coordinator.holdBy(permit.grant());
    if (coordinator != null && hold != null) {
      return renew(coordinator, hold, lease);
    }
    if (coordinator != null && coordinator.isReleasing(permit.grant())) {
      return false;
    }
    RenewRequest request =
        new RenewRequest(resource, permit.clientId(), permit.grant(), lease.toMillis(), 0);
    return StoreCalls.ask(
            runtime,
            name,
            () -> runtime.store().renew(List.of(request)).thenApply(answers -> answers.get(0)))
        .renewed();
  }

  private boolean renew(ResourceCoordinator coordinator, Hold hold, Duration lease) {
    try {
      new PermitView(runtime, coordinator, hold).renew(lease);
      return true;
    } catch (LeaseLostException | IllegalStateException over) {
      return false;
    }
  }

  /** Returns the coordinator if it is this client that has acquired a permit. */
  private @Nullable ResourceCoordinator ownGate(PermitId permit) {
    return permit.clientId().equals(runtime.clientId()) ? resources.existing(resource) : null;
  }

  // ------------------------------------------------------------- how many

  @Override
  public int availablePermits() {
    return available(inspect());
  }

  private int available(Inspection inspection) {
    long available = inspection.available(limit);
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, available));
  }

  private Inspection inspect() {
    runtime.checkOpen(name);
    return resources.inspect(resource);
  }

  @Override
  public void setPermits(int permits) {
    if (permits < 0) {
      throw new IllegalArgumentException("permits must not be negative, was " + permits);
    }
    resize(ResizeRequest.Kind.SET, permits);
  }

  @Override
  public int addPermits(int more) {
    Resized resized = resize(ResizeRequest.Kind.ADD, more);
    int before = resized.limit().orElse(limit);
    if (!resized.changed()) {
      throw new IllegalArgumentException(
          "'" + name + "' has " + before + " permits, cannot have " + ((long) before + more));
    }
    return before;
  }

  @Override
  public void resetPermits() {
    resize(ResizeRequest.Kind.GIVE_UP, 0);
  }

  private Resized resize(ResizeRequest.Kind kind, int permits) {
    runtime.checkOpen(name);
    Policy policy = runtime.policy();
    ResizeRequest request =
        new ResizeRequest(
            resource,
            policy.nextClaim(),
            kind,
            permits,
            limit,
            RegisterUpdates.rememberMillis(policy));
    return StoreCalls.ask(runtime, name, () -> runtime.store().resize(request));
  }

  @Override
  public String toString() {
    return "semaphore['" + name + "' at " + runtime.store().describe() + "]";
  }
}
