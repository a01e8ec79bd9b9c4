package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Sort;

/** What the threads of a contest want, and how often. */
enum Kind {
  /** All threads want one lock; times are waits. */
  ONE_LOCK(Sort.LOCK, "one lock", 0, 1),
  /** One thread alone; times are whole pairs of lock and unlock. */
  UNCONTENDED(Sort.LOCK, "lock and unlock", 0, 1),
  READ_TOGETHER(Sort.READ_LOCK, "one read lock without writers", 0, 1),
  WRITE(Sort.WRITE_LOCK, "one write lock", 0, 1),
  SEMAPHORE(Sort.SEMAPHORE, "one semaphore of " + Sort.PERMITS, 0, 1),
  /** All threads increment one number; times are those of an increment. */
  COUNTER(Sort.COUNTER, "one counter", 0, 1),
  /** Each thread has a latch; times are those of setting, counting down, awaiting, removing. */
  LATCH(Sort.LATCH, "a latch for each thread", 0, Kind.OWN),
  /** All threads want the same locks together; times are waits. */
  MULTI_LOCK(Sort.MULTI_LOCK, "one multi-lock of " + Sort.MEMBERS, 0, 1),
  /** Many clients of one thread each want one lock; times are waits. */
  FLEET_LOCK(Sort.LOCK, "one lock", 1, 1),
  /** As {@link #FLEET_LOCK}, over a slow network. */
  FLEET_LOCK_FAR(Sort.LOCK, "one lock far away", 1, 1),
  /** Many clients draw one of many locks each time; times are whole pairs. */
  FLEET_LOCKS(Sort.LOCK, "1,000 locks", 2, Kind.MANY),
  FLEET_WRITE_LOCKS(Sort.WRITE_LOCK, "1,000 write locks", 1, Kind.MANY),
  FLEET_READ_LOCKS(Sort.READ_LOCK, "1,000 read locks", 1, Kind.MANY),
  FLEET_SEMAPHORES(Sort.SEMAPHORE, "1,000 semaphores of " + Sort.PERMITS, 1, Kind.MANY),
  /** Few clients whose threads pause and draw a name each time; times are waits. */
  FEW(
      Sort.LOCK,
      "2 x 10, 1,000 names, nothing under the lock, pause of 10 ms",
      10,
      Kind.MANY,
      10,
      0),
  /** Many clients that pause and want one lock, to hold it for a while; times are waits. */
  ONE_NAME(Sort.LOCK, "20 x 1, one name, held for 1 ms, pause of 5 ms", 1, 1, 5, 1);

  /** Stands for a name of each thread's own. */
  static final int OWN = 0;

  private static final int MANY = 1_000;

  final Sort sort;
  private final String what;
  private final int threadsEach;

  /** How many names there are to draw from, or {@link #OWN}. */
  final int names;

  final int pauseMillis;
  final int holdMillis;

  Kind(Sort sort, String what, int threadsEach, int names) {
    this(sort, what, threadsEach, names, 0, 0);
  }

  Kind(Sort sort, String what, int threadsEach, int names, int pauseMillis, int holdMillis) {
    this.sort = sort;
    this.what = what;
    this.threadsEach = threadsEach;
    this.names = names;
    this.pauseMillis = pauseMillis;
    this.holdMillis = holdMillis;
  }

  /** Returns whether its threads pause, as those of services do. */
  boolean isService() {
    return pauseMillis > 0;
  }

  /** Returns whether times include the release. */
  boolean measuresPairs() {
    return !isService() && (this == UNCONTENDED || names != 1);
  }

  /** Returns how many threads each client has if there are so many in so many processes. */
  int threadsEach(int processes, int threads) {
    return threadsEach == 0 ? threads / processes : threadsEach;
  }

  /** Returns what is contended for, and the numbers of clients and threads. */
  String title(int processes, int threads) {
    if (isService()) {
      return what;
    }
    int each = threadsEach(processes, threads);
    String clients = threads == 1 ? "" : number(threads / each, "client") + " of ";
    return what + ", " + clients + number(each, "thread");
  }

  private static String number(int count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }
}
