package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.bench.results.ContestResult.Kind;
import io.lockkeeper.bench.worker.ContestSpec;
import io.lockkeeper.bench.worker.Measure;
import io.lockkeeper.bench.worker.Names;
import io.lockkeeper.bench.worker.Work;
import java.util.List;

/**
 * One contest: so many threads, spread over processes, with this work under the lock.
 *
 * @param threads in all processes together
 */
record ContestPlan(Kind kind, int processes, int threads, Work work, List<Contender> contenders) {

  /**
   * Returns what each process does when it is {@code contender}'s turn and its crew is so large.
   */
  ContestSpec spec(Contender contender, int crewSize) {
    return new ContestSpec(
        contender,
        "bench:" + kind + ":" + work + ":" + threads + ":" + contender,
        threads / processes(crewSize),
        ownNames() ? Names.OWN : Names.ONE,
        work,
        kind == Kind.UNCONTENDED || ownNames() ? Measure.PAIR : Measure.WAIT);
  }

  private boolean ownNames() {
    return kind == Kind.OWN_NAMES || kind == Kind.READ_OWN_NAMES || kind == Kind.LATCH;
  }

  /** Returns how many processes of a crew take part. */
  int processes(int crewSize) {
    return Math.min(processes, crewSize);
  }

  String title() {
    String under = work == Work.ORDER ? ", an order's work inside" : "";
    String size = ", " + processes + " x " + threads / processes + " threads";
    return switch (kind) {
      case ONE_LOCK -> "one lock" + size + under;
      case UNCONTENDED -> "one thread alone";
      case OWN_NAMES -> threads + " threads with a lock each";
      case READ_TOGETHER -> "reading together" + size;
      case READ_OWN_NAMES -> threads + " threads with a read lock each";
      case WRITE -> "write lock" + size;
      case SEMAPHORE -> "semaphore of " + Sort.PERMITS + size;
      case COUNTER -> "counter" + size;
      case LATCH -> "a latch for each thread" + size;
      case MULTI_LOCK -> "multi-lock of " + Sort.MEMBERS + size;
    };
  }
}
