package io.lockkeeper.bench.results;

import io.lockkeeper.bench.locks.Contender;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * How one contender did in a contest.
 *
 * @param contender who
 * @param rounds its turns, in order
 * @param latency the measured times of all rounds together
 * @param problems what went wrong
 */
public record Standing(
    Contender contender, List<Round> rounds, Latency latency, List<String> problems) {

  /** Returns the median over the rounds, or NaN if there is none. */
  public double median(ToDoubleFunction<Round> value) {
    return Medians.of(rounds.stream().mapToDouble(value));
  }

  /** Returns the median of this contender's value over that of another in the same round. */
  public double medianRatio(Standing other, ToDoubleFunction<Round> value) {
    int common = Math.min(rounds.size(), other.rounds.size());
    return Medians.of(
        IntStream.range(0, common)
            .mapToDouble(
                i ->
                    value.applyAsDouble(rounds.get(i)) / value.applyAsDouble(other.rounds.get(i))));
  }

  /** Returns the sum over the rounds. */
  public long sum(ToLongFunction<Round> value) {
    return rounds.stream().mapToLong(value).sum();
  }
}
