package io.lockkeeper.lab.history;

/** Takes events down. For any thread. */
@FunctionalInterface
public interface Recorder {

  /** Takes down one event. When this returns, the end of the process does not lose it. */
  void record(Event event);
}
