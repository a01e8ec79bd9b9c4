package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.History;
import java.util.ArrayList;
import java.util.List;

/** The times in which nothing was broken on purpose, and nothing had been just before. */
final class Calm {

  private record Span(long from, long to) {}

  private final List<Span> disturbed;

  private Calm(List<Span> disturbed) {
    this.disturbed = disturbed;
  }

  /** Reads them from a history; consequences of a fault last for {@code recoveryNanos} after it. */
  static Calm of(History history, long recoveryNanos) {
    List<Span> spans = new ArrayList<>();
    int open = 0;
    long began = 0;
    for (Event event : history.events()) {
      switch (event.kind()) {
        case FAULT -> began = open++ == 0 ? event.nanos() : began;
        case HEALED -> {
          open = Math.max(0, open - 1);
          if (open == 0) {
            spans.add(new Span(began, event.nanos() + recoveryNanos));
          }
        }
        default -> {
          // of no concern
        }
      }
    }
    if (open > 0) {
      spans.add(new Span(began, Long.MAX_VALUE));
    }
    return new Calm(spans);
  }

  /** Returns how long it was calm between two times. */
  long nanos(long from, long to) {
    long left = Math.max(0, to - from);
    long covered = from;
    for (Span span : disturbed) {
      long start = Math.max(covered, span.from());
      long end = Math.min(to, span.to());
      if (end > start) {
        left -= end - start;
        covered = end;
      }
    }
    return left;
  }

  /** Returns whether nothing was wrong between two times. */
  boolean isWhole(long from, long to) {
    return disturbed.stream().noneMatch(span -> span.from() < to && span.to() > from);
  }
}
