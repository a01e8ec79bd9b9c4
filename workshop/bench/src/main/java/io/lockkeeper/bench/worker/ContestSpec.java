package io.lockkeeper.bench.worker;

import io.lockkeeper.bench.locks.Contender;

/**
 * What one worker process does in a contest: threads that lock and unlock as fast as they can.
 *
 * @param contender the kind of lock
 * @param name the lock's name, or the first part of it if each thread has its own
 * @param threads how many threads in this process
 * @param clients how many clients of the library they share, in turn
 * @param names whether they share one lock
 * @param work what they do while they hold it
 * @param measure which time is recorded
 */
public record ContestSpec(
    Contender contender,
    String name,
    int threads,
    int clients,
    Names names,
    Work work,
    Measure measure) {

  /** Returns the key of the stock that {@link Work#ORDER} changes. */
  public String stockKey() {
    return "bench:stock:" + name;
  }
}
