package io.lockkeeper.engine.coordination;

import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.Coordinators;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the coordinators of one client: one per resource in use, which leaves when it has been idle
 * for a while.
 */
public final class ResourceCoordinators {

  private static final Logger LOG = System.getLogger("io.lockkeeper");
  private static final long CLOSE_NANOS = 5_000_000_000L;

  private final ClientRuntime runtime;
  private final Coordinators<ResourceId, ResourceCoordinator> coordinators;
  private final LostHolds lostHolds = new LostHolds();
  private final SendingThreads sendingThreads = new SendingThreads();

  /** Creates it without any. */
  public ResourceCoordinators(ClientRuntime runtime) {
    this.runtime = runtime;
    this.coordinators =
        new Coordinators<>(
            runtime,
            (resource, draining) ->
                new ResourceCoordinator(resource, runtime, lostHolds, sendingThreads, draining));
  }

  // ---------------------------------------------------------------- who there is

  /** Returns what the client runs on. */
  public ClientRuntime runtime() {
    return runtime;
  }

  /** Returns what the threads of this client have lost. */
  public LostHolds lostHolds() {
    return lostHolds;
  }

  /** Returns a resource's coordinator; it may retire at any moment, and then says so. */
  public ResourceCoordinator of(ResourceId resource) {
    return coordinators.of(resource);
  }

  /** Replaces a coordinator that has retired. */
  ResourceCoordinator after(ResourceCoordinator retired) {
    return coordinators.after(retired.resource(), retired);
  }

  /** Returns a resource's coordinator if there is one. */
  public @Nullable ResourceCoordinator existing(ResourceId resource) {
    return coordinators.existing(resource);
  }

  /** Returns all that there are. */
  public Collection<ResourceCoordinator> all() {
    return coordinators.all();
  }

  // ---------------------------------------------------------------- the store

  /**
   * Tells a resource's coordinator something, if there is one; what that throws goes no further.
   */
  public void tell(ResourceId resource, Consumer<ResourceCoordinator> news) {
    ResourceCoordinator known = existing(resource);
    if (known != null) {
      runtime.guarded(known.name(), () -> news.accept(known));
    }
  }

  /** Asks everything again: messages may have been missed, and what failed may work again. */
  public void reconnected() {
    coordinators.reconnected();
  }

  /** Sends what this client has decided about a resource before a question about it. */
  public void awaitSent(ResourceId resource) {
    ResourceCoordinator known = existing(resource);
    if (known != null) {
      known.awaitSent();
    }
  }

  /** Asks who holds a resource, behind all that this client has decided about it before. */
  public Inspection inspect(ResourceId resource) {
    return StoreCalls.ask(
        runtime,
        resource.name(),
        () -> {
          awaitSent(resource);
          return runtime.store().inspect(resource);
        });
  }

  // ---------------------------------------------------------------- time

  /** Does what is due; returns when something is due next. */
  public long scan() {
    Batch batch = new Batch();
    long due = Instants.NEVER;
    try {
      due = coordinators.scan(each -> each.tick(batch));
    } finally {
      // What is in it counts as sent.
      batch.send(runtime, runtime.now());
    }
    return Math.min(due, lostHolds.sweep(runtime.now()));
  }

  // ---------------------------------------------------------------- close

  /** Ends all waits and holds; returns whose releases are to be waited for. */
  public List<ResourceCoordinator> close() {
    return coordinators.close();
  }

  /** Waits a bounded time until the store has confirmed everything that was given up. */
  public void awaitDrained() {
    if (!coordinators.awaitDrained(CLOSE_NANOS)) {
      LOG.log(
          Level.WARNING,
          "closed before {0} confirmed every release; what is left ends with its lease",
          runtime.store().describe());
    }
  }
}
