package io.lockkeeper.lab.check;

import io.lockkeeper.lab.check.RuleResult.Violation;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A history made by hand; times are milliseconds. */
final class Script {

  static final CheckSettings SETTINGS = CheckSettings.of(2, 2);

  private final List<Event> events = new ArrayList<>();
  private final Map<String, Long> calls = new HashMap<>();

  static long nanos(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  /** Adds any event of an actor's present request. */
  Script at(long millis, String actor, EventKind kind, String resource, long token, long until) {
    events.add(
        Event.of(nanos(millis), actor, kind, resource, calls.getOrDefault(actor, 0L))
            .withLease(token, nanos(until)));
    return this;
  }

  Script value(long millis, String actor, EventKind kind, String resource, long value) {
    return value(millis, actor, kind, resource, value, "");
  }

  Script value(
      long millis, String actor, EventKind kind, String resource, long value, String note) {
    if (kind == EventKind.ASK || kind == EventKind.CALL) {
      calls.merge(actor, 1L, Long::sum);
    }
    events.add(
        Event.of(nanos(millis), actor, kind, resource, calls.getOrDefault(actor, 0L))
            .with(value, note));
    return this;
  }

  Script run(long millis, EventKind kind) {
    events.add(Event.ofRun(nanos(millis), "nemesis", kind, "by hand"));
    return this;
  }

  Script ask(long millis, String actor, String resource) {
    return ask(millis, actor, resource, 1, Hold.WRITE);
  }

  Script ask(long millis, String actor, String resource, int permits, String mode) {
    return value(millis, actor, EventKind.ASK, resource, permits, mode);
  }

  Script got(long millis, String actor, String resource, long token, long until) {
    return at(millis, actor, EventKind.GOT, resource, token, until);
  }

  Script release(long millis, String actor, String resource) {
    return at(millis, actor, EventKind.RELEASE, resource, 0, millis + 1)
        .at(millis + 1, actor, EventKind.RELEASED, resource, 0, 0);
  }

  /** Adds a hold from asking to release. */
  Script hold(String actor, String resource, long token, long ask, long got, long release) {
    return ask(ask, actor, resource)
        .got(got, actor, resource, token, got + 1_000)
        .release(release, actor, resource);
  }

  /** Adds an operation that returns. */
  Script operate(
      String actor, String resource, String name, long argument, long from, long to, long result) {
    return value(from, actor, EventKind.CALL, resource, argument, name)
        .value(to, actor, EventKind.RETURN, resource, result);
  }

  History history() {
    return History.of(events);
  }

  List<Violation> violations() {
    return violations(SETTINGS);
  }

  List<Violation> violations(CheckSettings settings) {
    return HistoryChecker.check(history(), settings).violations();
  }

  Verdict verdict() {
    return HistoryChecker.check(history(), SETTINGS);
  }

  /** Returns the ids of what is broken. */
  List<String> broken() {
    return violations().stream().map(Violation::promise).distinct().toList();
  }
}
