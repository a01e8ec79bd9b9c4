package io.lockkeeper.bench.results;

import io.lockkeeper.bench.locks.Contender;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * How one contender did under a load of services.
 *
 * @param rounds its turns, in order
 * @param waits those of all turns together
 * @param problems what went wrong
 */
public record ServiceStanding(
    Contender contender, List<ServiceRound> rounds, Latency waits, List<String> problems) {

  /** Returns the median over the turns, or NaN if there is none. */
  public double median(ToDoubleFunction<ServiceRound> figure) {
    return Medians.of(figures(figure));
  }

  /** Returns the smallest figure of a turn, or NaN if there is none. */
  public double least(ToDoubleFunction<ServiceRound> figure) {
    return figures(figure).min().orElse(Double.NaN);
  }

  /** Returns the largest figure of a turn, or NaN if there is none. */
  public double most(ToDoubleFunction<ServiceRound> figure) {
    return figures(figure).max().orElse(Double.NaN);
  }

  private DoubleStream figures(ToDoubleFunction<ServiceRound> figure) {
    return rounds.stream().mapToDouble(figure);
  }

  /** Returns how often a thread found another one of its process inside, in all turns. */
  public long overlaps() {
    return rounds.stream().mapToLong(ServiceRound::overlaps).sum();
  }
}
