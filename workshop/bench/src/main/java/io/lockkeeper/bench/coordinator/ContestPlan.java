package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Contender;
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
    return kind.title(processes, threads) + work.label();
  }
}
