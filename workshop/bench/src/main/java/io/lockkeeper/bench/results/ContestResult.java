package io.lockkeeper.bench.results;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Sort;
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
    ONE_LOCK("one lock"),
    /** One thread alone; times are whole pairs of lock and unlock. */
    UNCONTENDED("lock and unlock"),
    /** Each thread has its own lock; times are whole pairs of lock and unlock. */
    OWN_NAMES("a lock for each thread"),
    /** All threads want one read lock; times are waits. */
    READ_TOGETHER("one read lock without writers"),
    /** Each thread has its own read lock; times are whole pairs of lock and unlock. */
    READ_OWN_NAMES("a read lock for each thread"),
    /** All threads want one write lock; times are waits. */
    WRITE("one write lock"),
    /** All threads want a permit of one semaphore; times are waits. */
    SEMAPHORE("one semaphore of " + Sort.PERMITS),
    /** All threads increment one number; times are those of an increment. */
    COUNTER("one counter"),
    /** Each thread has a latch; times are those of setting, counting down, awaiting, removing. */
    LATCH("a latch for each thread"),
    /** All threads want the same locks together; times are waits. */
    MULTI_LOCK("one multi-lock of " + Sort.MEMBERS),
    /** Many clients of one thread each want one lock; times are waits. */
    FLEET_LOCK("one lock", 1),
    /** Many clients draw one of many locks each time; times are whole pairs. */
    FLEET_LOCKS("1,000 locks", 2),
    /** Many clients draw one of many write locks each time; times are whole pairs. */
    FLEET_WRITE_LOCKS("1,000 write locks", 1),
    /** Many clients draw one of many read locks each time; times are whole pairs. */
    FLEET_READ_LOCKS("1,000 read locks", 1),
    /** Many clients draw one of many semaphores each time; times are whole pairs. */
    FLEET_SEMAPHORES("1,000 semaphores of " + Sort.PERMITS, 1),
    /** Some clients want one write lock; times are waits. */
    FLEET_WRITE("one write lock", 2),
    /** Some clients want a permit of one semaphore; times are waits. */
    FLEET_SEMAPHORE("one semaphore of " + Sort.PERMITS, 2),
    /** As {@link #FLEET_LOCK}, over a slow network. */
    FLEET_LOCK_FAR("one lock far away", 1),
    /** As {@link #FLEET_LOCKS}, over a slow network. */
    FLEET_LOCKS_FAR("1,000 locks far away", 2);

    private final String what;
    private final int threadsEach;

    /** A contest in which each process has one client. */
    Kind(String what) {
      this(what, 0);
    }

    /** A contest of clients with so many threads each. */
    Kind(String what, int threadsEach) {
      this.what = what;
      this.threadsEach = threadsEach;
    }

    /** Returns how many threads each client has if there are so many in so many processes. */
    int threadsEach(int processes, int threads) {
      return threadsEach == 0 ? threads / processes : threadsEach;
    }

    /** Returns what is contended for, and the numbers of clients and threads. */
    public String title(int processes, int threads) {
      int each = threadsEach(processes, threads);
      String clients = threads == 1 ? "" : number(threads / each, "client") + " of ";
      return what + ", " + clients + number(each, "thread");
    }

    private static String number(int count, String thing) {
      return count + " " + thing + (count == 1 ? "" : "s");
    }
  }

  /** Returns what it is about, for people. */
  public String title() {
    return kind.title(processes, threads) + work.label();
  }

  /** Returns how many threads each client has. */
  public int threadsEach() {
    return kind.threadsEach(processes, threads);
  }

  /** Returns how {@code contender} did, if it took part. */
  public Optional<Standing> standing(Contender contender) {
    return standings.stream().filter(s -> s.contender() == contender).findFirst();
  }
}
