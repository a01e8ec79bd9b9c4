package io.lockkeeper.bench;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.locks.Contender;

/** What the coordinator asks of a worker; each is answered by one {@link Reply}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
sealed interface Command {

  /**
   * Prepares the threads of a contest.
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
  record Prepare(
      Contender contender,
      Kind kind,
      String name,
      int threads,
      int clients,
      Work work,
      boolean paused,
      long seed)
      implements Command {

    /** Returns the key of the stock that {@link Work#ORDER} changes. */
    String stockKey() {
      return "bench:stock:" + name;
    }
  }

  /**
   * Lets the prepared threads contend, and measures them from one moment to another, on {@link
   * System#nanoTime()}.
   */
  record Run(long startNanos, long endNanos) implements Command {}

  /** Passes a lock to and fro between two clients in this process. */
  record HandOver(Contender contender, String name, int times) implements Command {}

  /** Has so many clients use one lock each, once, and then leaves them alone for a while. */
  record Idle(Contender contender, int clients, long nanos) implements Command {}
}
