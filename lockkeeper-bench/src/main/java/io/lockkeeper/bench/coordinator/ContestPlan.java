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
 * @param clients of each library, in all processes together
 */
record ContestPlan(
    Kind kind, int processes, int threads, int clients, Work work, List<Contender> contenders) {

  /** A contest in which each process has one client. */
  ContestPlan(Kind kind, int processes, int threads, Work work, List<Contender> contenders) {
    this(kind, processes, threads, processes, work, contenders);
  }

  /**
   * Returns what each process does when it is {@code contender}'s turn and its crew is so large.
   */
  ContestSpec spec(Contender contender, int crewSize) {
    return new ContestSpec(
        contender,
        "bench:" + kind + ":" + work + ":" + threads + ":" + contender,
        threads / processes(crewSize),
        clients / processes,
        names(),
        work,
        kind == Kind.UNCONTENDED || names() != Names.ONE ? Measure.PAIR : Measure.WAIT);
  }

  private Names names() {
    return switch (kind) {
      case OWN_NAMES, READ_OWN_NAMES, LATCH -> Names.OWN;
      case FLEET_LOCKS, FLEET_LOCKS_FAR, FLEET_WRITE_LOCKS, FLEET_READ_LOCKS, FLEET_SEMAPHORES ->
          Names.MANY;
      default -> Names.ONE;
    };
  }

  /** Returns whether its clients are to be far from the server. */
  boolean isFar() {
    return kind == Kind.FLEET_LOCK_FAR || kind == Kind.FLEET_LOCKS_FAR;
  }

  /** Returns how many processes of a crew take part. */
  int processes(int crewSize) {
    return Math.min(processes, crewSize);
  }

  String title() {
    return what() + work.label();
  }

  private String what() {
    String size = ", " + processes + " x " + threads / processes + " threads";
    return switch (kind) {
      case ONE_LOCK -> "one lock" + size;
      case UNCONTENDED -> "one thread alone";
      case OWN_NAMES -> threads + " threads with a lock each";
      case READ_TOGETHER -> "reading together" + size;
      case READ_OWN_NAMES -> threads + " threads with a read lock each";
      case WRITE -> "write lock" + size;
      case SEMAPHORE -> "semaphore of " + Sort.PERMITS + size;
      case COUNTER -> "counter" + size;
      case LATCH -> "a latch for each thread" + size;
      case MULTI_LOCK -> "multi-lock of " + Sort.MEMBERS + size;
      case FLEET_LOCK -> "one lock" + fleet();
      case FLEET_LOCKS -> Names.COUNT + " locks" + fleet();
      case FLEET_WRITE_LOCKS -> Names.COUNT + " write locks" + fleet();
      case FLEET_READ_LOCKS -> Names.COUNT + " read locks" + fleet();
      case FLEET_SEMAPHORES -> Names.COUNT + " semaphores" + fleet();
      case FLEET_LOCK_FAR -> "one lock" + fleet() + " far away";
      case FLEET_LOCKS_FAR -> Names.COUNT + " locks" + fleet() + " far away";
      case FLEET_WRITE -> "one write lock" + fleet();
      case FLEET_SEMAPHORE -> "one semaphore of " + Sort.PERMITS + fleet();
    };
  }

  private String fleet() {
    return ", " + clients + " clients x " + threads / clients;
  }
}
