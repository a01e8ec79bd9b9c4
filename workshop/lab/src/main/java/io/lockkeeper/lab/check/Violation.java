package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;
import java.util.List;

/**
 * A broken promise.
 *
 * @param promise its id in {@code docs/SPEC.md}
 * @param resource where
 * @param what what happened, in one sentence
 * @param evidence the events that show it, in order
 */
public record Violation(String promise, String resource, String what, List<Event> evidence) {

  /** Creates one. */
  public Violation {
    evidence = List.copyOf(evidence);
  }

  /** Returns where and what, for a line. */
  public String text() {
    return promise + " on " + resource + ": " + what;
  }

  @Override
  public String toString() {
    return promise + " broken on " + resource + ": " + what;
  }
}
