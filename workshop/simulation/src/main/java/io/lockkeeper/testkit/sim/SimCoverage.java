package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Probe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts how often engines went through each of the transitions that they have names for. */
public final class SimCoverage implements Probe {

  /** The counts; once one constant of an enum was reached, all of its constants are here. */
  private final Map<Enum<?>, Count> counts = new HashMap<>();

  private static final class Count {
    long value;
  }

  @Override
  public void reached(Enum<?> transition) {
    Count count = counts.get(transition);
    if (count == null) {
      for (Enum<?> each : transition.getDeclaringClass().getEnumConstants()) {
        counts.put(each, new Count());
      }
      count = counts.computeIfAbsent(transition, absent -> new Count());
    }
    count.value++;
  }

  /** Returns the sums of these counts and others. */
  public SimCoverage and(SimCoverage others) {
    SimCoverage sums = new SimCoverage();
    for (SimCoverage each : List.of(this, others)) {
      each.counts.forEach(
          (transition, count) ->
              sums.counts.computeIfAbsent(transition, absent -> new Count()).value += count.value);
    }
    return sums;
  }

  /** Returns how often each transition was reached, by name; 0 for those that were not. */
  public Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((transition, count) -> all.put(transition.name(), count.value));
    return all;
  }

  /** Returns the names of the transitions that were never reached. */
  public List<String> missed() {
    List<String> missed = new ArrayList<>();
    counts()
        .forEach(
            (name, count) -> {
              if (count == 0) {
                missed.add(name);
              }
            });
    return missed;
  }

  /** Returns a table of names and counts. */
  public String report() {
    StringBuilder table = new StringBuilder();
    counts().forEach((name, count) -> table.append(String.format("%12d  %s%n", count, name)));
    return table.toString();
  }
}
