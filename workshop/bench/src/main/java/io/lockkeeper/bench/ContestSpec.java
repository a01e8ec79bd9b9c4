package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;

/**
 * What one worker process does in a contest.
 *
 * @param contender the kind of lock
 * @param kind what the threads want
 * @param name the lock's name, or the first part of it if there are several
 * @param threads how many threads in this process
 * @param clients how many clients of the library they share, in turn
 * @param work what they do while they hold it
 * @param paused whether threads pause if they are to; without, they loop, to warm up
 * @param seed for pauses and names
 */
record ContestSpec(
    Contender contender,
    Kind kind,
    String name,
    int threads,
    int clients,
    Work work,
    boolean paused,
    long seed) {

  /** Returns the key of the stock that {@link Work#ORDER} changes. */
  String stockKey() {
    return "bench:stock:" + name;
  }
}
