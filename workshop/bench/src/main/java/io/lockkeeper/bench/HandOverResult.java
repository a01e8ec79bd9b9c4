package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How long a lock takes from one client to another.
 *
 * @param count how many hand-overs
 * @param latency from the call of unlock until the other client's thread has the lock; of a lock
 *     with an idle lease from the other client's call of lock, after the unlock
 * @param rounds the same for each round
 */
record HandOverResult(
    Contender contender,
    long count,
    Latency latency,
    @Nullable List<Latency> rounds,
    List<String> problems) {

  /** Copies; results of earlier versions know nothing of rounds. */
  HandOverResult {
    rounds = rounds == null ? List.of() : List.copyOf(rounds);
  }

  /** Returns the times of each round, in order. */
  @Override
  public List<Latency> rounds() {
    return Objects.requireNonNull(rounds);
  }
}
