package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request and what became of it. */
final class Hold {

  /** The mode of a request for exclusive use. */
  static final String WRITE = "write";

  private final Event ask;
  private final List<Event> events = new ArrayList<>();
  private @Nullable Event got;
  private @Nullable Event release;
  private @Nullable Event end;
  private long validEnd;
  private long arrival = -1;

  Hold(Event ask) {
    this.ask = ask;
    events.add(ask);
  }

  /** Takes an event of this request into account; they come in order. */
  void add(Event event) {
    events.add(event);
    switch (event.kind()) {
      case GOT -> got = event;
      case RELEASE -> release = event;
      case RELEASED, LOST, FAILED -> end = event;
      default -> {
        // a look, or a write
      }
    }
  }

  /** Reckons until when the lease was surely valid. */
  void settle() {
    Event first = got;
    if (first == null) {
      return;
    }
    long seen = first.nanos() - 1;
    long until = seen;
    long renewed = until;
    boolean over = end != null;
    for (Event event : events) {
      if (isLook(event) && event.untilNanos() > event.nanos()) {
        seen = event.nanos();
        until = event.untilNanos();
      }
      if (event.kind() == EventKind.RENEWED) {
        renewed = Math.max(renewed, event.untilNanos());
      }
      over |= event.kind() == EventKind.INVALID || event.kind() == EventKind.RELEASE;
    }
    validEnd = over ? seen : Math.max(until, renewed);
  }

  private static boolean isLook(Event event) {
    return switch (event.kind()) {
      case GOT, VALID, RELEASE -> true;
      default -> false;
    };
  }

  Event ask() {
    return ask;
  }

  String resource() {
    return ask.resource();
  }

  boolean isGranted() {
    return got != null;
  }

  /** Returns when it was surely held at first. */
  long start() {
    return granted().nanos();
  }

  /** Returns when it was surely valid for the last time; before the start if it never was. */
  long validEnd() {
    return validEnd;
  }

  /** Returns whether the lease was valid when it was got. */
  boolean wasValid() {
    return validEnd >= start();
  }

  /** Returns when it was surely over at the store, too, or at least known to be given back. */
  long widestEnd() {
    Event over = end;
    long known = over == null ? Long.MIN_VALUE : over.nanos();
    boolean released = over != null && over.kind() == EventKind.RELEASED;
    return released ? known : Math.max(known, latestUntil());
  }

  private long latestUntil() {
    return events.stream().mapToLong(Event::untilNanos).max().orElse(0);
  }

  /** Returns when the wait for it was over, or {@code none} if it never was. */
  long waitEnd(long none) {
    if (got != null) {
      return got.nanos();
    }
    return end == null ? none : end.nanos();
  }

  long token() {
    return granted().token();
  }

  boolean hasToken() {
    return token() != 0;
  }

  long permits() {
    return Math.max(1, ask.value());
  }

  boolean isWriter() {
    return ask.note().equals(WRITE);
  }

  void arrival(long number) {
    arrival = number;
  }

  /** Returns the store's number for the arrival of the request, or -1. */
  long arrival() {
    return arrival;
  }

  @Nullable Event release() {
    return release;
  }

  /** Returns its events, in order. */
  List<Event> events() {
    return events;
  }

  private Event granted() {
    if (got == null) {
      throw new IllegalStateException("not granted: " + ask);
    }
    return got;
  }
}
