package io.lockkeeper.spi.record;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.record.JointOperation.Use;
import io.lockkeeper.spi.support.ClientEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a namespace: a record for each that has not closed.
 *
 * <p>Where a store {@linkplain RecordStore#provesAbsence proves absence}, a client changes
 * resources only while its record is there. So when it is not, the client's session has ended, and
 * with it what the client held; unless that may have outlasted the session: then its record stays.
 */
final class Directory implements Presence {

  private static final String FORMAT = "1";
  private static final long PAUSE_NANOS = 1_000_000_000;

  private final RecordStore port;
  private final Keys keys;
  private final CasLoop steps;
  private final ClientInfo client;
  private final AtomicReference<@Nullable Announcement> latest = new AtomicReference<>();

  /** The longest lease that this client has asked for. */
  private final AtomicLong longestMillis = new AtomicLong();

  private volatile boolean isClosed;

  /** A writing of the client's record, and whether that stays when its session ends. */
  private record Announcement(boolean isForGood, CompletableFuture<Outcome<Boolean>> end) {

    boolean hasFailed() {
      return end.isDone() && !(end.join() instanceof Outcome.Answered);
    }
  }

  Directory(RecordStore port, Keys keys, CasLoop steps, ClientInfo client) {
    this.port = port;
    this.keys = keys;
    this.steps = steps;
    this.client = client;
  }

  /** Writes the client down anew, if need be again until that is answered. */
  void announce() {
    latest.set(null);
    Outcomes.whenKnown(
        ready(),
        outcome -> {
          if (outcome instanceof Outcome.Unknown && !isClosed) {
            steps.later(PAUSE_NANOS, this::announce);
          }
        });
  }

  /** Makes the client known for good, before it asks for a lease that may outlast its session. */
  void outlast(long leaseMillis) {
    longestMillis.accumulateAndGet(leaseMillis, Math::max);
    if (isForGood()) {
      var unused = ready();
    }
  }

  /**
   * Returns for how long a grant lasts at least that this client was given while it waited, in
   * microseconds: until its session may end, unless the client is known for good.
   */
  long sureMicros() {
    Announcement known = latest.get();
    boolean isKnown =
        known != null && known.isForGood() && known.end().isDone() && !known.hasFailed();
    return isKnown ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toMicros(port.sessionMillis());
  }

  private boolean isForGood() {
    return longestMillis.get() > port.sessionMillis();
  }

  @Override
  public CompletableFuture<Outcome<Boolean>> ready() {
    boolean isForGood = isForGood();
    Announcement known = latest.get();
    if (known != null && !known.hasFailed() && (known.isForGood() || !isForGood)) {
      return known.end();
    } else if (isClosed) {
      return CompletableFuture.completedFuture(
          Outcome.unknown(new IllegalStateException("the client has closed")));
    }
    Announcement next = new Announcement(isForGood, new CompletableFuture<>());
    if (!latest.compareAndSet(known, next)) {
      return ready();
    }
    Outcomes.whenKnown(write(line(client), isForGood), next.end()::complete);
    return next.end();
  }

  @Override
  public CompletableFuture<Outcome<Boolean>> restored() {
    Announcement known = latest.get();
    if (known != null && known.end().isDone()) {
      latest.compareAndSet(known, null);
    }
    return ready();
  }

  /** Deletes what was written down. */
  CompletionStage<Outcome<Boolean>> leave() {
    isClosed = true;
    return write(null, false);
  }

  /** Writes it also if it is there: that may be of a session that is about to end. */
  private CompletionStage<Outcome<Boolean>> write(@Nullable String head, boolean isForGood) {
    String key = keys.ofClient(client.id());
    return steps.take(
        key,
        Courier.express(port),
        Use.ACTS,
        reading ->
            Decision.of(
                    reading,
                    Outcome.answered(true),
                    new Change(
                        key,
                        reading.version(),
                        head,
                        List.of(),
                        List.of(),
                        List.of(),
                        head != null && !isForGood,
                        null,
                        null))
                .always(head != null));
  }

  /** Returns the clients that are written down, of those with these ids. */
  CompletionStage<Outcome<List<ClientInfo>>> find(List<String> ids) {
    List<String> distinct = ids.stream().distinct().toList();
    return Gather.all(
        port::read,
        distinct.stream().map(id -> ReadRequest.all(keys.ofClient(id))).toList(),
        readings -> read(distinct, readings));
  }

  private static List<ClientInfo> read(List<String> ids, List<Reading> readings) {
    List<ClientInfo> found = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      String head = readings.get(i).head();
      String id = ids.get(i);
      if (head != null) {
        found.add(Fields.read(head, fields -> read(id, fields)));
      }
    }
    return found;
  }

  private static ClientInfo read(String id, Fields fields) {
    fields.expect(FORMAT).expect("client");
    return new ClientInfo(
        id, fields.optional(), fields.optional(), ClientEntry.known(fields.number()));
  }

  private static String line(ClientInfo client) {
    return Fields.line(
        FORMAT,
        "client",
        Fields.escaped(client.name()),
        Fields.escaped(client.host()),
        ClientEntry.stored(client.pid()));
  }
}
