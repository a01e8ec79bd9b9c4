package io.lockkeeper.bench;

import io.lockkeeper.bench.Standing.Latency;
import io.lockkeeper.bench.locks.Contender;
import java.util.List;

/**
 * How long a lock takes from one client to another.
 *
 * @param count how many hand-overs
 * @param latency from the call of unlock until the other client's thread has the lock; of a lock
 *     with an idle lease from the other client's call of lock, after the unlock
 * @param rounds the same for each round
 */
record HandOverResult(
    Contender contender,
    long count,
    Latency latency,
    List<Latency> rounds,
    List<String> problems) {}
