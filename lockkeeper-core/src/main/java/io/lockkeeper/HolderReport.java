package io.lockkeeper;

import java.time.Duration;

/**
 * Somebody who holds a resource, or a part of it, as the store saw it at one moment.
 *
 * @param kind what it holds
 * @param name the name of what it holds
 * @param grant the number of the grant: it and the client's id name this hold and no later one
 * @param client whose it is
 * @param thread the name of the thread whose request brought the grant to its client, with control
 *     characters replaced and cut to at most 48 bytes; empty if the request was asynchronous. Where
 *     a lock passes from thread to thread inside its client, which the store does not see, the
 *     present holder may be another thread
 * @param token its fencing token; where a lock passes inside its client, the first of the grant
 * @param permits how many permits it has; 1 for a lock or a reader, {@link Integer#MAX_VALUE} for a
 *     writer
 * @param held for how long its client has had the grant, to within a few milliseconds
 * @param leaseLeft how long the lease still lasts unless it is renewed
 */
public record HolderReport(
    ResourceReport.Kind kind,
    String name,
    long grant,
    ClientInfo client,
    String thread,
    long token,
    int permits,
    Duration held,
    Duration leaseLeft) {}
