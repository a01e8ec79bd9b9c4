package io.lockkeeper.examples.store;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.record.Appending;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.Message;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records in a map, replaced as a whole and on the condition that they have not changed.
 *
 * <p>One counter gives all versions, so none comes again for any key. Of deleted records only the
 * largest version is kept: a record is made anew only by somebody who has read that it is absent
 * after the latest deletion. That may be another record's, and then is a conflict without need.
 */
public final class MapsServer {

  private static final Map<String, MapsServer> NAMED = new ConcurrentHashMap<>();
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final String name;
  private final RecordClock clock;
  private final Map<String, Reading> records = new ConcurrentHashMap<>();
  private final Map<String, RecordStore.Listener> clients = new ConcurrentHashMap<>();
  private final AtomicLong versions = new AtomicLong(1);
  private final AtomicLong latestDeletion = new AtomicLong();

  /**
   * Creates an empty server.
   *
   * @param time what its clock counts
   */
  public MapsServer(String name, TimeSource time) {
    long originNanos = time.nanos() - 1_000;
    this.name = name;
    this.clock = RecordClock.shared(() -> time.nanos() - originNanos);
  }

  /** Returns the server that all clients in this process share who know its name. */
  public static MapsServer named(String name) {
    return NAMED.computeIfAbsent(name, absent -> new MapsServer(absent, System::nanoTime));
  }

  /** Returns the way in for clients of Lockkeeper. */
  public StoreFactory factory() {
    return context -> new RecordBasedStore(open(context.clientId()), context, PATIENCE);
  }

  /** Returns a client's way to the records. */
  public RecordStore open(String clientId) {
    return new MapsRecordStore(this, clientId);
  }

  String name() {
    return name;
  }

  RecordClock clock() {
    return clock;
  }

  Reading read(String key) {
    Reading[] read = new Reading[1];
    // As a change does: while it is made, its version is counted and its record is not there yet.
    records.compute(
        key,
        (same, found) -> {
          read[0] = found == null ? Reading.absent(versions.get()) : found;
          return found;
        });
    return read[0];
  }

  CommitAnswer commit(Change change) {
    long[] committed = new long[1];
    records.compute(
        change.key(),
        (key, found) -> {
          if (!isExpected(change, found)) {
            return found;
          }
          committed[0] = versions.incrementAndGet();
          return after(change, found, committed[0]);
        });
    if (committed[0] == 0) {
      return new CommitAnswer.Conflict(read(change.key()));
    }
    change.messages().forEach(this::deliver);
    return new CommitAnswer.Committed(committed[0]);
  }

  private boolean isExpected(Change change, @Nullable Reading found) {
    return found == null
        ? change.expected() >= latestDeletion.get()
        : change.expected() == found.version();
  }

  private @Nullable Reading after(Change change, @Nullable Reading found, long version) {
    if (change.head() == null) {
      latestDeletion.accumulateAndGet(version, Math::max);
      return null;
    }
    Reading before = found == null ? Reading.absent(change.expected()) : found;
    return before.after(change, version);
  }

  private void deliver(Message message) {
    RecordStore.Listener listener = clients.get(message.client());
    if (listener != null) {
      listener.message(message.text());
    }
  }

  /** Puts entries into a record whatever its version is, which stays. For stores that append. */
  Reading append(Appending appending, boolean first) {
    return records.compute(
        appending.key(),
        (key, found) -> {
          List<Entry> all = found == null ? new ArrayList<>() : new ArrayList<>(found.entries());
          all.addAll(first ? 0 : all.size(), appending.put());
          appending.messages().forEach(this::deliver);
          String head = found == null ? null : found.head();
          long version = found == null ? versions.get() : found.version();
          return Reading.of(version, head == null ? "" : head, all);
        });
  }

  /** Removes entries from a record whatever its version is, which stays. */
  void remove(String key, Set<String> names) {
    records.computeIfPresent(
        key,
        (same, found) ->
            Reading.of(
                found.version(),
                String.valueOf(found.head()),
                found.entries().stream().filter(it -> !names.contains(it.name())).toList()));
  }

  /** Returns the keys of all records that are there. */
  public List<String> keys() {
    return List.copyOf(records.keySet());
  }

  /** Forgets the records whose keys are so, as a server that lost its disk. */
  public void forget(Predicate<String> which) {
    records.keySet().removeIf(which);
    latestDeletion.set(versions.incrementAndGet());
  }

  void enter(String clientId, RecordStore.Listener listener) {
    clients.put(clientId, listener);
  }

  void leave(String clientId) {
    clients.remove(clientId);
  }
}
