package io.lockkeeper.bench.results;

/**
 * What one contender did in one turn of services.
 *
 * @param perSecond acquisitions of all clients
 * @param waits those of the clients that are measured
 * @param heldShare the time for which locks were held, as a share of the turn; above 1 where there
 *     is more than one lock
 * @param clientCpuMicros processor time of the clients' processes for an acquisition
 * @param serverCpuMicros processor time of the server for an acquisition
 * @param switches voluntary context switches of the clients' processes for an acquisition
 * @param bytes allocated by the clients' processes for an acquisition
 * @param least the acquisitions of the client that got fewest
 * @param most the acquisitions of the client that got most
 * @param overlaps how often a thread found another one of its process inside
 */
public record ServiceRound(
    double perSecond,
    Latency waits,
    double heldShare,
    double clientCpuMicros,
    double serverCpuMicros,
    double switches,
    double bytes,
    long least,
    long most,
    long overlaps) {}
