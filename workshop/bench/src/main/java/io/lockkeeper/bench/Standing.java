package io.lockkeeper.bench;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.lockkeeper.bench.locks.Contender;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * How one contender did in a contest.
 *
 * @param contender the contender
 * @param rounds its turns, in order
 * @param latency the measured times of all rounds together
 * @param problems what went wrong
 */
record Standing(
    Contender contender,
    List<Round> rounds,
    @JsonAlias("waits") Latency latency,
    List<String> problems) {

  /** Returns the median over the rounds, or NaN if there is none. */
  double median(ToDoubleFunction<Round> value) {
    return median(values(value));
  }

  /** Returns the median of this contender's value over that of another in the same round. */
  double medianRatio(Standing other, ToDoubleFunction<Round> value) {
    int common = Math.min(rounds.size(), other.rounds.size());
    return median(
        IntStream.range(0, common)
            .mapToDouble(
                i ->
                    value.applyAsDouble(rounds.get(i)) / value.applyAsDouble(other.rounds.get(i))));
  }

  /** Returns the smallest value of a round, or NaN if there is none. */
  double least(ToDoubleFunction<Round> value) {
    return values(value).min().orElse(Double.NaN);
  }

  /** Returns the largest value of a round, or NaN if there is none. */
  double most(ToDoubleFunction<Round> value) {
    return values(value).max().orElse(Double.NaN);
  }

  long sum(ToLongFunction<Round> value) {
    return rounds.stream().mapToLong(value).sum();
  }

  private DoubleStream values(ToDoubleFunction<Round> value) {
    return rounds.stream().mapToDouble(value);
  }

  /** Returns the median of {@code values}, or NaN if there is none; one round does not move it. */
  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** A distribution of times, in microseconds. */
  record Latency(
      double p50Micros, double p90Micros, double p99Micros, double p999Micros, double maxMicros) {

    private static final double NANOS_PER_MICRO = 1e3;

    /** Summarizes a histogram of nanoseconds. */
    static Latency of(Histogram nanos) {
      return new Latency(
          nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
          nanos.getValueAtPercentile(90) / NANOS_PER_MICRO,
          nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
          nanos.getValueAtPercentile(99.9) / NANOS_PER_MICRO,
          nanos.getMaxValue() / NANOS_PER_MICRO);
    }
  }
}
