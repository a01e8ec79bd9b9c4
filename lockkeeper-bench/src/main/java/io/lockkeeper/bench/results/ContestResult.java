package io.lockkeeper.bench.results;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.worker.Work;
import java.util.List;
import java.util.Optional;

/**
 * A contest and how all contenders did in it.
 *
 * @param kind which contest
 * @param processes how many processes took part; a {@link Contender#REENTRANT_LOCK} always has one
 * @param threads how many threads in all processes together
 * @param work what was done under the lock
 * @param standings the contenders, in the order of their turns
 */
public record ContestResult(
    Kind kind, int processes, int threads, Work work, List<Standing> standings) {

  /** Which contest. */
  public enum Kind {
    /** All threads want one lock; times are waits. */
    ONE_LOCK,
    /** One thread alone; times are whole pairs of lock and unlock. */
    UNCONTENDED,
    /** Each thread has its own lock; times are whole pairs of lock and unlock. */
    OWN_NAMES,
    /** All threads want one read lock; times are waits. */
    READ_TOGETHER,
    /** Each thread has its own read lock; times are whole pairs of lock and unlock. */
    READ_OWN_NAMES,
    /** All threads want one write lock; times are waits. */
    WRITE,
    /** All threads want a permit of one semaphore; times are waits. */
    SEMAPHORE,
    /** All threads increment one number; times are those of an increment. */
    COUNTER,
    /** Each thread has a latch; times are those of setting, counting down, awaiting, removing. */
    LATCH,
    /** All threads want the same locks together; times are waits. */
    MULTI_LOCK,
    /** Many clients of one thread each want one lock; times are waits. */
    FLEET_LOCK,
    /** Many clients draw one of many locks each time; times are whole pairs. */
    FLEET_LOCKS,
    /** Many clients draw one of many write locks each time; times are whole pairs. */
    FLEET_WRITE_LOCKS,
    /** Many clients draw one of many read locks each time; times are whole pairs. */
    FLEET_READ_LOCKS,
    /** Many clients draw one of many semaphores each time; times are whole pairs. */
    FLEET_SEMAPHORES,
    /** Some clients want one write lock; times are waits. */
    FLEET_WRITE,
    /** Some clients want a permit of one semaphore; times are waits. */
    FLEET_SEMAPHORE,
    /** As {@link #FLEET_LOCK}, over a slow network. */
    FLEET_LOCK_FAR,
    /** As {@link #FLEET_LOCKS}, over a slow network. */
    FLEET_LOCKS_FAR
  }

  /** Returns how {@code contender} did, if it took part. */
  public Optional<Standing> standing(Contender contender) {
    return standings.stream().filter(s -> s.contender() == contender).findFirst();
  }
}
