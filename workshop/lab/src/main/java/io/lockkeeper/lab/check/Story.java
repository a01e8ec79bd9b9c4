package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.History;
import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** A history as the rules want it: requests put together, by resource. */
final class Story {

  private final History history;
  private final CheckSettings settings;
  private final Calm calm;
  private final Map<String, List<Hold>> requests = new LinkedHashMap<>();
  private final Map<String, Limits> limits = new HashMap<>();
  private final Map<String, Long> deaths = new HashMap<>();

  Story(History history, CheckSettings settings) {
    this.history = history;
    this.settings = settings;
    this.calm = Calm.of(history, settings.recovery().toNanos());
    Map<String, Hold> open = new HashMap<>();
    Map<String, Hold> byToken = new HashMap<>();
    for (Event event : history.events()) {
      take(event, open, byToken);
    }
    for (Event event : history.where(event -> event.kind() == EventKind.ARRIVAL)) {
      Hold hold = byToken.get(tokenKey(event));
      if (hold != null) {
        hold.arrival(event.value());
      }
    }
    requests.values().forEach(holds -> holds.forEach(Hold::settle));
  }

  private void take(Event event, Map<String, Hold> open, Map<String, Hold> byToken) {
    switch (event.kind()) {
      case DIED -> deaths.put(event.process(), event.nanos());
      case ARRIVAL -> {
        // joined by its token, when all tokens are known
      }
      case LIMIT, RESIZE, RESIZED ->
          limits.computeIfAbsent(event.resource(), id -> new Limits()).add(event);
      case ASK -> {
        Hold hold = new Hold(event);
        open.put(event.request(), hold);
        requests.computeIfAbsent(event.resource(), id -> new ArrayList<>()).add(hold);
      }
      default -> {
        Hold hold = open.get(event.request());
        if (hold != null) {
          hold.add(event);
          if (event.kind() == EventKind.GOT && hold.hasToken()) {
            byToken.put(tokenKey(event), hold);
          }
        }
      }
    }
  }

  private static String tokenKey(Event event) {
    return event.resource() + " " + event.token();
  }

  History history() {
    return history;
  }

  CheckSettings settings() {
    return settings;
  }

  Calm calm() {
    return calm;
  }

  /** Returns all ids of resources of these types that were asked for. */
  List<String> resources(Set<ResourceType> types) {
    return requests.keySet().stream().filter(id -> types.contains(ResourceType.of(id))).toList();
  }

  /** Returns the requests for a resource, in the order in which they began. */
  List<Hold> requests(String resource) {
    return requests.getOrDefault(resource, List.of());
  }

  /** Returns those that were granted, in the order in which their holders knew. */
  List<Hold> holds(String resource) {
    return requests(resource).stream()
        .filter(Hold::isGranted)
        .sorted(Comparator.comparingLong(Hold::start))
        .toList();
  }

  /** Returns those of them whose lease was valid when it was got. */
  List<Hold> validHolds(String resource) {
    return holds(resource).stream().filter(Hold::wasValid).toList();
  }

  /** Returns how many permits a resource may have had between two times; one without a limit. */
  long limit(String resource, long from, long to) {
    Limits known = limits.get(resource);
    return known == null ? 1 : known.largest(from, to);
  }

  /** Returns when a request's wait was over: with its process or the run, if nothing ended it. */
  long waitEnd(Hold hold) {
    return hold.waitEnd(deaths.getOrDefault(hold.ask().process(), end()));
  }

  long end() {
    List<Event> events = history.events();
    return events.isEmpty() ? 0 : events.get(events.size() - 1).nanos();
  }

  Map<ResourceType, Long> granted() {
    return requests.values().stream()
        .flatMap(List::stream)
        .filter(Hold::isGranted)
        .collect(
            Collectors.groupingBy(hold -> ResourceType.of(hold.resource()), Collectors.counting()));
  }

  /**
   * Returns since when the store may have forgotten what nobody promises that it remembers; {@link
   * Long#MAX_VALUE} if that never was.
   */
  long mayForgetSince() {
    return first(EnumSet.of(EventKind.MAY_FORGET));
  }

  /** As {@link #mayForgetSince}, of the values of counters and latches. */
  long mayForgetValuesSince() {
    return first(EnumSet.of(EventKind.MAY_FORGET, EventKind.MAY_FORGET_VALUES));
  }

  private long first(Set<EventKind> kinds) {
    List<Event> found = history.where(event -> kinds.contains(event.kind()));
    return found.isEmpty() ? Long.MAX_VALUE : found.get(0).nanos();
  }

  /** Returns when the last thing that was broken was whole again, if anything was. */
  OptionalLong lastHealed() {
    return history.where(event -> event.kind() == EventKind.HEALED).stream()
        .mapToLong(Event::nanos)
        .max();
  }

  /** The times in which nothing was broken on purpose, and nothing had been just before. */
  static final class Calm {

    private record Span(long from, long to) {}

    private final List<Span> disturbed;

    private Calm(List<Span> disturbed) {
      this.disturbed = disturbed;
    }

    /**
     * Reads them from a history; consequences of a fault last for {@code recoveryNanos} after it.
     */
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

  /**
   * Which limits a resource may have had, and when. A change takes effect at some time between its
   * beginning and its end; one without an end may take effect at any time from its beginning on.
   */
  static final class Limits {

    private static final class Change {
      private final long begin;
      private final long value;
      private long done = Long.MAX_VALUE;

      /** From when on another value is surely in force, as a later change was done by then. */
      private long replaced = Long.MAX_VALUE;

      Change(Event event) {
        this.begin = event.nanos();
        this.value = event.value();
      }
    }

    private final List<Change> changes = new ArrayList<>();
    private final Map<String, Change> open = new HashMap<>();
    private long initial;
    private long initialReplaced = Long.MAX_VALUE;

    /** Takes an event into account; they come in the order of time. */
    void add(Event event) {
      switch (event.kind()) {
        case LIMIT -> initial = Math.max(initial, event.value());
        case RESIZE -> {
          Change change = new Change(event);
          changes.add(change);
          open.put(event.request(), change);
        }
        case RESIZED -> end(Objects.requireNonNull(open.remove(event.request())), event.nanos());
        default -> throw new IllegalArgumentException(event.toString());
      }
    }

    private void end(Change ended, long nanos) {
      ended.done = nanos;
      initialReplaced = Math.min(initialReplaced, nanos);
      for (Change change : changes) {
        if (change.done <= ended.begin) {
          change.replaced = Math.min(change.replaced, nanos);
        }
      }
    }

    /** Returns the largest limit that may have been in force at some time between two times. */
    long largest(long from, long to) {
      long largest = initialReplaced > from ? initial : 0;
      for (Change change : changes) {
        if (change.begin <= to && change.replaced > from) {
          largest = Math.max(largest, change.value);
        }
      }
      return largest;
    }
  }
}
