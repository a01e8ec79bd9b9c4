package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.rule.CellContent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The nodes of cells that are not there any more, or not for long, and remember what updates did:
 * when that is over, a later call takes them away.
 */
final class CellSweep {

  private static final int SOME = 4;
  private static final long SLACK_MILLIS = 1_000;

  /** How many nodes a client has in mind at most; the others are left to who uses them next. */
  private static final int MOST = 10_000;

  private final ServerClock clock;
  private final Consumer<String> clean;

  /** By path, when to look at the node. */
  private final Map<String, Long> due = new ConcurrentHashMap<>();

  private volatile long nextNanos = Long.MAX_VALUE;

  CellSweep(ServerClock clock, Consumer<String> clean) {
    this.clock = clock;
    this.clean = clean;
  }

  /** Records a node that has just been written. */
  void later(String path, CellRecord record) {
    boolean willEnd = !record.isPresent() || record.endMillis() != CellContent.NEVER;
    if (!willEnd || (due.size() >= MOST && !due.containsKey(path))) {
      due.remove(path);
      return;
    }
    long last = record.isPresent() ? record.endMillis() : 0;
    for (CellRecord.Memory memory : record.memories().values()) {
      last = Math.max(last, memory.untilMillis());
    }
    long leftMicros = clock.leftMicros(last);
    long at =
        clock.nanos()
            + TimeUnit.MICROSECONDS.toNanos(Math.max(0, leftMicros))
            + TimeUnit.MILLISECONDS.toNanos(SLACK_MILLIS);
    due.put(path, at);
    nextNanos = Math.min(nextNanos, at);
  }

  /** Records a node that is about to be deleted. */
  void partingLater(String path) {
    long at = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(CellRecord.PARTING_MILLIS);
    due.put(path, at + TimeUnit.MILLISECONDS.toNanos(SLACK_MILLIS));
    nextNanos = Math.min(nextNanos, at);
  }

  /** Cleans a few of those that are due. Costs next to nothing if none is. */
  void some() {
    long now = clock.nanos();
    if (now < nextNanos) {
      return;
    }
    List<Map.Entry<String, Long>> all = List.copyOf(due.entrySet());
    long next = Long.MAX_VALUE;
    int cleaned = 0;
    for (Map.Entry<String, Long> entry : all) {
      if (entry.getValue() > now || cleaned == SOME) {
        next = Math.min(next, Math.max(now, entry.getValue()));
      } else if (due.remove(entry.getKey(), entry.getValue())) {
        cleaned++;
        clean.accept(entry.getKey());
      }
    }
    nextNanos = next;
  }
}
