package io.lockkeeper.bench.results;

import io.lockkeeper.bench.locks.Contender;
import java.util.List;

/**
 * What waiting threads cost in one process, while another process holds the lock.
 *
 * @param waiters how many threads were to wait
 * @param waiting how many still did when they were weighed
 * @param heapBytesPerWaiter heap beyond what the same threads take at a latch
 * @param clientThreads threads of the client in the waiting process
 * @param connections connections to the server, of the waiting and the holding process together
 * @param channels channels with a subscriber at the server
 * @param drainMillis how long after the release the last one had had the lock
 * @param served how many had the lock in the time allowed
 */
public record FootprintResult(
    Contender contender,
    int waiters,
    int waiting,
    double heapBytesPerWaiter,
    int clientThreads,
    long connections,
    long channels,
    long drainMillis,
    int served,
    List<String> problems) {}
