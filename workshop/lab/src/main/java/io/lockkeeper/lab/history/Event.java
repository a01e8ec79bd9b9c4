package io.lockkeeper.lab.history;

import java.util.Comparator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One thing that happened.
 *
 * @param nanos when, on the machine's monotonic clock
 * @param actor who: {@code PROCESS#THREAD}, or only the process
 * @param kind what
 * @param resource on what: {@code TYPE/NAME}, see {@link ResourceType}; empty if on nothing
 * @param call the number of the actor's request or operation that it belongs to
 * @param token the fencing token; 0 if there is none
 * @param untilNanos until when a lease is valid if nothing renews it; 0 if that is not said
 * @param value what the kind says
 * @param note what the kind says
 */
public record Event(
    long nanos,
    String actor,
    EventKind kind,
    String resource,
    long call,
    long token,
    long untilNanos,
    long value,
    String note) {

  /** The order of time. Event times are differences of one clock and may be negative. */
  public static final Comparator<Event> BY_TIME = (a, b) -> Long.signum(a.nanos - b.nanos);

  private static final int FIELDS = 9;

  /** Creates an event that carries nothing but its kind. */
  public static Event of(long nanos, String actor, EventKind kind, String resource, long call) {
    return new Event(nanos, actor, kind, resource, call, 0, 0, 0, "");
  }

  /** Creates an event that is about the run and not about a resource. */
  public static Event ofRun(long nanos, String actor, EventKind kind, String note) {
    return new Event(nanos, actor, kind, "", 0, 0, 0, 0, note);
  }

  /** Returns a copy with a token and the time until which it is valid. */
  public Event withLease(long newToken, long newUntilNanos) {
    return new Event(nanos, actor, kind, resource, call, newToken, newUntilNanos, value, note);
  }

  public Event with(long newValue, String newNote) {
    return new Event(nanos, actor, kind, resource, call, token, untilNanos, newValue, newNote);
  }

  public String process() {
    int end = actor.indexOf('#');
    return end < 0 ? actor : actor.substring(0, end);
  }

  /** Returns what the events of one request or operation share. */
  public String request() {
    return actor + " " + call;
  }

  /** Returns the event as one line without its end. */
  public String line() {
    return Stream.of(nanos, actor, kind, resource, call, token, untilNanos, value)
            .map(String::valueOf)
            .collect(Collectors.joining("\t"))
        + "\t"
        + note.replaceAll("\\p{Cntrl}", " ");
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none of ours
   */
  public static Event read(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("not an event: " + line);
    }
    return new Event(
        Long.parseLong(fields[0]),
        fields[1],
        EventKind.valueOf(fields[2]),
        fields[3],
        Long.parseLong(fields[4]),
        Long.parseLong(fields[5]),
        Long.parseLong(fields[6]),
        Long.parseLong(fields[7]),
        fields[8]);
  }
}
