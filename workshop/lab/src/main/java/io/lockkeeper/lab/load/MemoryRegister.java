package io.lockkeeper.lab.load;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.Recorder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** A guarded system in the memory of this process. */
public final class MemoryRegister implements Register {

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Long> largest = new HashMap<>();
  private final Recorder recorder;
  private long writes;

  public MemoryRegister(Recorder recorder) {
    this.recorder = recorder;
  }

  @Override
  public boolean write(String resource, String actor, long call, long token) {
    lock.lock();
    try {
      long seen = largest.getOrDefault(resource, Long.MIN_VALUE);
      boolean taken = token >= seen;
      EventKind kind = taken ? EventKind.WROTE : EventKind.WRITE_REFUSED;
      if (taken) {
        largest.put(resource, token);
      }
      recorder.record(
          Event.of(System.nanoTime(), actor, kind, resource, call)
              .withLease(token, 0)
              .with(taken ? ++writes : seen, ""));
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
