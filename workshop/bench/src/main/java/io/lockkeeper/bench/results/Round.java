package io.lockkeeper.bench.results;

/**
 * What one contender did in one turn of a contest.
 *
 * @param perSecond acquisitions inside the window, per second, over all processes
 * @param latency the measured times of this turn
 * @param least the acquisitions of the thread that got fewest
 * @param most the acquisitions of the thread that got most
 * @param commandsPerAcquisition commands executed by the server, those inside scripts included
 * @param serverCpuMicrosPerAcquisition processor time of the server
 * @param overlaps how often more threads of one process were inside at once than may be
 * @param lostOrders orders that are missing in the stock
 * @param scriptMicros the time inside one script or function of the server; NaN if it does not tell
 */
public record Round(
    double perSecond,
    Latency latency,
    long least,
    long most,
    double commandsPerAcquisition,
    double serverCpuMicrosPerAcquisition,
    long overlaps,
    long lostOrders,
    double scriptMicros) {}
