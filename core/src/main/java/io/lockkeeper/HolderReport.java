package io.lockkeeper;

import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One holder of a resource, or of a part of it, as the store saw it at one moment.
 *
 * @param kind the kind of resource
 * @param name the name of the resource
 * @param grant the number of the grant; together with the client's id it identifies this hold and
 *     no later one
 * @param client the client that has the grant, or had it last if the lock rests
 * @param thread the name of the thread that holds, with control characters replaced and cut to at
 *     most 48 bytes; null if the request was asynchronous, and if the store does not know it: a
 *     client that may hand a {@code lock} off from thread to thread writes it with the first
 *     renewal after a second, and takes it back when it hands the lock off. The client that is
 *     asked knows its own
 * @param token its fencing token; if a lock is handed off inside its client, the first token of the
 *     grant
 * @param permits how many permits it has; 1 for a lock or a reader, empty for a writer, which has
 *     all
 * @param held how long its client has had the grant, to within a few milliseconds
 * @param leaseLeft how long the lease still lasts unless it is renewed; how long the lock still
 *     rests
 * @param resting whether nobody holds the lock, and it stays closed as its last holder wanted: see
 *     {@link Lease#releaseAfter}
 */
public record HolderReport(
    ResourceKind kind,
    String name,
    long grant,
    ClientInfo client,
    @Nullable String thread,
    long token,
    OptionalInt permits,
    Duration held,
    Duration leaseLeft,
    boolean resting) {}
