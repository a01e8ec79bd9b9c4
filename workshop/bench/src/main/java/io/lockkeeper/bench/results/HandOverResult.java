package io.lockkeeper.bench.results;

import io.lockkeeper.bench.locks.Contender;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How long a lock takes from one client to another.
 *
 * @param count how many hand-overs
 * @param latency from the call of unlock until the other client's thread has the lock; of a lock
 *     with an idle lease from the other client's call of lock, after the unlock
 * @param rounds the same for each round
 */
public record HandOverResult(
    Contender contender,
    long count,
    Latency latency,
    @Nullable List<Latency> rounds,
    List<String> problems) {

  /** Copies; results of earlier versions know nothing of rounds. */
  public HandOverResult {
    rounds = rounds == null ? List.of() : List.copyOf(rounds);
  }

  /** Returns the times of each round, in order. */
  @Override
  public List<Latency> rounds() {
    return Objects.requireNonNull(rounds);
  }

  /** Returns the median over the rounds of this one's median over that of another. */
  public double medianRatio(HandOverResult other) {
    int common = Math.min(rounds().size(), other.rounds().size());
    return common == 0
        ? latency.p50Micros() / other.latency.p50Micros()
        : Medians.of(
            IntStream.range(0, common)
                .mapToDouble(i -> rounds().get(i).p50Micros() / other.rounds().get(i).p50Micros()));
  }
}
