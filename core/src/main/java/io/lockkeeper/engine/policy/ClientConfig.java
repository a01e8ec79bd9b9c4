package io.lockkeeper.engine.policy;

import io.lockkeeper.LockListener;
import io.lockkeeper.LockObserver;
import io.lockkeeper.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds a client's settings, checked by its builder.
 *
 * @param clientName its name for people
 * @param namespace what separates its resources from other applications'
 * @param lease the default length of a renewed lease
 * @param renewalRatio when to renew: this part of a lease after the last renewal
 * @param lockOptions the options of the lock of a name, where none are given
 * @param connecting when it connects
 * @param storeTimeout how long to wait for a store that does not answer
 * @param executor where user code runs, or null for threads of the client's own
 * @param listeners who hears the events
 * @param observers who observes acquisitions and holds
 * @param detectsDeadlocks whether deadlocks are looked for
 * @param deadlockCheck how long threads wait before they are suspected of a deadlock
 * @param breaksDeadlocks whether a wait of this client may be ended to break one
 */
public record ClientConfig(
    String clientName,
    String namespace,
    Duration lease,
    double renewalRatio,
    Function<String, LockOptions> lockOptions,
    Connecting connecting,
    Duration storeTimeout,
    @Nullable Executor executor,
    List<LockListener> listeners,
    List<LockObserver> observers,
    boolean detectsDeadlocks,
    Duration deadlockCheck,
    boolean breaksDeadlocks) {}
