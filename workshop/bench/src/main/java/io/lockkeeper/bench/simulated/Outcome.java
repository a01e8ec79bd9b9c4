package io.lockkeeper.bench.simulated;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a crowd has found.
 *
 * @param wish what its clients wanted
 * @param acquisitions how often they got it
 * @param messages how many messages for each acquisition: requests, replies and notifications
 * @param requests how many requests of them, by kind
 * @param pushes how many notifications of them
 * @param p50Micros the median wait
 * @param p99Micros the wait that all but one in a hundred did not exceed
 * @param maxMicros the longest wait
 */
record Outcome(
    Crowd.Wish wish,
    long acquisitions,
    double messages,
    SortedMap<String, Double> requests,
    double pushes,
    double p50Micros,
    double p99Micros,
    double maxMicros) {

  /** Copies. */
  Outcome {
    requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
  }

  /** Returns how many requests for each acquisition. */
  double allRequests() {
    return requests.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
