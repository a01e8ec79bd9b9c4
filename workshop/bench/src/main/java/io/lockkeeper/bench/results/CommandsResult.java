package io.lockkeeper.bench.results;

import io.lockkeeper.bench.locks.Contender;
import java.util.List;
import java.util.SortedMap;

/**
 * What the server has to do for one acquisition and release.
 *
 * @param threads how many threads contended, in all processes together
 * @param sent commands that clients sent, per acquisition and by name
 * @param inScripts commands that scripts executed, per acquisition and by name
 */
public record CommandsResult(
    Contender contender,
    int threads,
    SortedMap<String, Double> sent,
    SortedMap<String, Double> inScripts,
    List<String> problems) {

  /** Returns all that clients sent, per acquisition. */
  public double totalSent() {
    return sent.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Returns all that scripts executed, per acquisition. */
  public double totalInScripts() {
    return inScripts.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
