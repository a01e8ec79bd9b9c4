package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.locks.Sort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What a run is to do.
 *
 * @param cases which kinds of measurements
 * @param contenders the locks that take part, in the order of their turns
 * @param processes how many worker processes each library has
 * @param threadCounts the numbers of threads, in all processes together, for the contests on one
 *     lock
 * @param rounds how many turns each contender has in each contest
 * @param turn the length of one turn's window, and how long idle clients are watched
 * @param warmUp the length of the turn before the first one that counts
 * @param handOvers how many hand-overs between two clients, in each round
 * @param log where the workers' error streams go
 */
record Plan(
    Set<Case> cases,
    List<Contender> contenders,
    int processes,
    List<Integer> threadCounts,
    int rounds,
    Duration turn,
    Duration warmUp,
    int handOvers,
    Path log) {

  /** Returns the contenders of these sorts, in the order of their turns. */
  List<Contender> contenders(Sort... sorts) {
    return contenders.stream().filter(c -> Arrays.asList(sorts).contains(c.sort())).toList();
  }

  /** Returns those contenders of these sorts that need the server. */
  List<Contender> onServer(Sort... sorts) {
    return contenders(sorts).stream().filter(c -> c.product() != Library.JDK).toList();
  }

  /** A kind of measurement. */
  enum Case {
    /** One lock, nothing done under it. */
    ONE_LOCK,
    /** One lock, an order's own work done under it. */
    ORDER,
    /** One thread alone. */
    UNCONTENDED,
    /** A lock's way from one client to another. */
    HAND_OVER,
    READ_LOCK,
    /** Writers of one read-write lock. */
    WRITE_LOCK,
    SEMAPHORE,
    COUNTER,
    LATCH,
    MULTI_LOCK,
    /** Many clients of few threads. */
    FLEET,
    /** Services of few clients with many names. */
    FEW,
    /** Services of many clients with one name. */
    ONE_NAME,
    /** Clients that do nothing. */
    IDLE
  }
}
