package io.lockkeeper;

import java.time.Duration;

/**
 * Somebody who waits in the store's queue, as the store saw it at one moment.
 *
 * <p>Threads of one client that wait for one {@code lock} have one place between them, made by the
 * first.
 *
 * @param client whose the request is
 * @param thread the name of the thread that made it, as in {@link HolderReport#thread()}
 * @param position the place in the queue, 1 for the first
 * @param permits how many permits it wants; 1 for a lock or a reader, {@link Integer#MAX_VALUE} for
 *     a writer
 * @param waited for how long it has been in the queue, to within a few milliseconds
 */
public record WaiterReport(
    ClientInfo client, String thread, int position, int permits, Duration waited) {}
