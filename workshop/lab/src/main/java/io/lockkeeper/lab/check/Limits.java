package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Which limits a resource may have had, and when. A change takes effect at some time between its
 * beginning and its end; one without an end may take effect at any time from its beginning on.
 */
final class Limits {

  /** The events that tell of limits. */
  static final Set<EventKind> KINDS =
      EnumSet.of(EventKind.LIMIT, EventKind.RESIZE, EventKind.RESIZED);

  private static final class Span {
    private final long begin;
    private final long value;
    private long done = Long.MAX_VALUE;

    /** From when on another value is surely in force, as a later change was done by then. */
    private long replaced = Long.MAX_VALUE;

    Span(Event event) {
      this.begin = event.nanos();
      this.value = event.value();
    }
  }

  private final List<Span> spans = new ArrayList<>();
  private final Map<String, Span> open = new HashMap<>();
  private long initial;
  private long initialReplaced = Long.MAX_VALUE;

  /** Takes an event into account; they come in the order of time. */
  void add(Event event) {
    switch (event.kind()) {
      case LIMIT -> initial = Math.max(initial, event.value());
      case RESIZE -> {
        Span span = new Span(event);
        spans.add(span);
        open.put(event.request(), span);
      }
      case RESIZED -> end(Objects.requireNonNull(open.remove(event.request())), event.nanos());
      default -> throw new IllegalArgumentException(event.toString());
    }
  }

  private void end(Span ended, long nanos) {
    ended.done = nanos;
    initialReplaced = Math.min(initialReplaced, nanos);
    for (Span span : spans) {
      if (span.done <= ended.begin) {
        span.replaced = Math.min(span.replaced, nanos);
      }
    }
  }

  /** Returns the largest limit that may have been in force at some time between two times. */
  long largest(long from, long to) {
    long largest = initialReplaced > from ? initial : 0;
    for (Span span : spans) {
      if (span.begin <= to && span.replaced > from) {
        largest = Math.max(largest, span.value);
      }
    }
    return largest;
  }
}
