package io.lockkeeper;

import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One waiter in the store's queue, as the store saw it at one moment.
 *
 * <p>Threads of one client that wait for one {@code lock} share one place, and have none while the
 * client hands the lock off. Only the client that is asked shows each of its own.
 *
 * @param client the client that made the request
 * @param thread the name of the thread that made it, as in {@link HolderReport#thread()}; null for
 *     the place that threads of another client share
 * @param position the place in the queue, 1 for the first
 * @param permits how many permits it wants; 1 for a lock or a reader, empty for a writer, which
 *     wants all
 * @param waited how long it has been in the queue, to within a few milliseconds
 */
public record WaiterReport(
    ClientInfo client,
    @Nullable String thread,
    int position,
    OptionalInt permits,
    Duration waited) {}
