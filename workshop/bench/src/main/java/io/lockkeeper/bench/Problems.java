package io.lockkeeper.bench;

import java.util.List;
import java.util.TreeMap;

/** What went wrong, each kind with its count, so that a repeated failure stays one line. */
final class Problems {

  private static final int MAX_LENGTH = 200;

  private final TreeMap<String, Integer> counts = new TreeMap<>();

  synchronized void add(Throwable failure) {
    String text = failure.toString().lines().findFirst().orElse("");
    String kind = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
    counts.merge(kind, 1, Integer::sum);
  }

  synchronized List<String> list() {
    return counts.entrySet().stream().map(e -> e.getValue() + " x " + e.getKey()).toList();
  }
}
