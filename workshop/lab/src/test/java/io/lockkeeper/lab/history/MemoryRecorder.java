package io.lockkeeper.lab.history;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The history of one process, in its memory. */
public final class MemoryRecorder implements Recorder {

  private final Collection<Event> events = new ConcurrentLinkedQueue<>();

  /** Creates an empty one. */
  public MemoryRecorder() {}

  @Override
  public void record(Event event) {
    events.add(event);
  }

  /** Returns what has been taken down so far. */
  public History history() {
    return History.of(events);
  }
}
