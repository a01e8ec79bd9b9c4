package io.lockkeeper.bench;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.lockkeeper.bench.Standing.Latency;

/**
 * What one contender did in one turn of a contest.
 *
 * @param perSecond acquisitions inside the window, per second, over all processes
 * @param latency the measured times of this turn
 * @param heldShare the time for which locks were held, as a share of the turn; above 1 where there
 *     is more than one lock
 * @param clientCpuMicros processor time of the clients' processes for an acquisition
 * @param serverCpuMicros processor time of the server for an acquisition
 * @param lostOrders orders that are missing in the stock
 */
record Round(
    double perSecond,
    @JsonAlias("waits") Latency latency,
    double heldShare,
    double clientCpuMicros,
    @JsonAlias("serverCpuMicrosPerAcquisition") double serverCpuMicros,
    long lostOrders) {}
