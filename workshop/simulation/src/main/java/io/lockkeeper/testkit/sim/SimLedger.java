package io.lockkeeper.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The leases that callers have got and not given back. A caller that runs is soon notified of a
 * loss.
 *
 * @param <T> what it is
 */
final class SimLedger<T> {

  /** How long after its end a holder that runs may go without hearing of it. */
  private static final long NOTICE_NANOS = 100 * SimRun.NANOS_PER_MILLI;

  /** One thing that a caller has. */
  static final class Entry<T> {

    final T what;
    private final SimProcess process;
    private final BooleanSupplier valid;
    private long invalidSinceNanos = Long.MAX_VALUE;
    private long endsByNanos = Long.MAX_VALUE;
    private boolean knowsLoss;

    private Entry(T what, SimProcess process, BooleanSupplier valid) {
      this.what = what;
      this.process = process;
      this.valid = valid;
    }

    boolean isValid() {
      return valid.getAsBoolean();
    }

    /** Notes that its holder was told. */
    void tell() {
      knowsLoss = true;
    }

    /** It must not be valid any more then. */
    void endsBy(long nanos) {
      endsByNanos = Math.min(endsByNanos, nanos);
    }
  }

  private final SimWorld world;
  private final List<Entry<T>> entries = new ArrayList<>();
  private long progressNanos;

  SimLedger(SimWorld world) {
    this.world = world;
  }

  Entry<T> add(T what, SimProcess process, BooleanSupplier valid) {
    progress();
    world.trace(() -> process + " got " + what);
    Entry<T> entry = new Entry<>(what, process, valid);
    entries.add(entry);
    return entry;
  }

  void remove(Entry<T> entry) {
    progress();
    world.trace(() -> entry.process + " has no longer " + entry.what);
    entries.remove(entry);
  }

  /** Notes that somebody has got somewhere. */
  void progress() {
    progressNanos = world.nowNanos();
  }

  long progressNanos() {
    return progressNanos;
  }

  /** Returns what is valid now, after a look at what is not. */
  List<Entry<T>> valid() {
    entries.removeIf(entry -> entry.process.isCrashed());
    List<Entry<T>> valid = new ArrayList<>();
    for (Entry<T> entry : entries) {
      if (entry.isValid()) {
        checkEnd(entry);
        valid.add(entry);
      } else {
        checkNotice(entry);
      }
    }
    return valid;
  }

  private void checkEnd(Entry<T> entry) {
    if (Math.max(world.nowNanos(), entry.process.pausedUntilNanos()) > entry.endsByNanos) {
      throw new SimViolation("long after a part of it was taken away, still valid: " + entry.what);
    }
  }

  private void checkNotice(Entry<T> entry) {
    long now = world.nowNanos();
    entry.invalidSinceNanos = Math.min(entry.invalidSinceNanos, now);
    long runningSince = Math.max(entry.invalidSinceNanos, entry.process.deafUntilNanos());
    long limit = NOTICE_NANOS + entry.process.timersLateNanos();
    if (!entry.knowsLoss && now - runningSince > limit) {
      throw new SimViolation("the holder never heard of losing " + entry.what);
    }
  }
}
