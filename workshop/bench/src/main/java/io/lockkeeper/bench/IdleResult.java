package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;
import java.util.List;

/**
 * What a client costs that has taken a lock once and now does nothing: the difference that some
 * clients make to a process, for each of them.
 *
 * @param clients how many there were
 * @param threads of a client
 * @param heapBytes of a client, after garbage collection
 * @param wakeUpsPerSecond how often a thread of it wakes up
 * @param cpuMicrosPerSecond processor time
 */
record IdleResult(
    Contender contender,
    int clients,
    double threads,
    double heapBytes,
    double wakeUpsPerSecond,
    double cpuMicrosPerSecond,
    List<String> problems) {}
