package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;
import java.util.List;

/**
 * One contest: so many threads, spread over processes, with this work under the lock.
 *
 * @param threads in all processes together
 * @param clients of each library, in all processes together
 */
record ContestPlan(
    Kind kind, int processes, int threads, int clients, Work work, List<Contender> contenders) {

  /**
   * Returns what a process does when it is {@code contender}'s turn and its crew is so large.
   *
   * @param seed for pauses and names
   */
  Command.Prepare spec(Contender contender, int crewSize, boolean paused, long seed) {
    return new Command.Prepare(
        contender,
        kind,
        "bench:" + kind + ":" + work + ":" + threads + ":" + contender,
        threads / processes(crewSize),
        clients / processes,
        work,
        paused,
        seed);
  }

  /** Returns how many processes of a crew take part. */
  int processes(int crewSize) {
    return Math.min(processes, crewSize);
  }

  String title() {
    return kind.title(processes, threads) + work.label();
  }

  /** What a thread does while it holds a lock. */
  enum Work {
    /** Nothing: the cost of the lock alone. */
    NONE(""),
    /** An order's own work: reads the stock and writes it back changed. */
    ORDER(", work under the lock");

    private final String label;

    Work(String label) {
      this.label = label;
    }

    /** Returns the suffix of a contest's name; may be empty. */
    String label() {
      return label;
    }
  }
}
