package io.lockkeeper.spi.record;

import io.lockkeeper.spi.rule.LeaseEnd;
import io.lockkeeper.spi.rule.StoredClaim;
import io.lockkeeper.spi.rule.StoredClaim.State;

/** A claim as an entry of a resource's record: what it is called, and what it holds. */
final class ClaimText {

  private ClaimText() {}

  /** Returns how the names of all claims of a client begin. */
  static String ofClient(String client) {
    return client + "/";
  }

  /** Returns whether claims of other clients wait, as far as was read of a lock. */
  static boolean isAnyOfOthers(Reading reading, String client) {
    return reading.entries().stream().anyMatch(each -> !each.name().startsWith(ofClient(client)));
  }

  static String name(String client, long claim) {
    return ofClient(client) + claim;
  }

  static String name(StoredClaim claim) {
    return name(claim.client(), claim.claim());
  }

  static Entry entry(StoredClaim claim, boolean hasSessions, boolean appends, Times times) {
    boolean isBound = hasSessions && claim.isWaiting();
    String since =
        isBound && appends
            ? times.writeDate(claim.sinceMicros())
            : times.write(claim.sinceMicros());
    return new Entry(name(claim), write(claim, since, times), isBound);
  }

  private static String write(StoredClaim claim, String since, Times times) {
    return Fields.line(
        claim.state(),
        since,
        claim.arrival(),
        claim.state() == State.DONE
            ? times.writeOpen(claim.end().micros(), Times.MUCH_LATE_MICROS)
            : times.write(claim.end().micros()),
        claim.end().givenMicros(),
        claim.permits(),
        claim.tokens(),
        claim.token(),
        claim.leaseMillis(),
        claim.deadlineMillis(),
        claim.overtakes(),
        claim.confirmed(),
        Fields.escaped(claim.label()));
  }

  static StoredClaim read(Entry entry, Times times) {
    return Fields.read(entry.text(), fields -> read(entry, fields, times));
  }

  /** Returns the arrival that a claim had before its place was known. */
  static long writtenArrival(Entry entry) {
    return Fields.read(
        entry.text(),
        fields -> {
          fields.word(); // its state
          fields.word(); // since when
          return fields.number();
        });
  }

  private static StoredClaim read(Entry entry, Fields fields, Times times) {
    String name = entry.name();
    int slash = name.lastIndexOf('/');
    State state = State.valueOf(fields.word());
    long since = times.read(fields.word());
    long written = fields.number();
    long arrival = entry.place() > 0 ? entry.place() : written;
    String client = name.substring(0, Math.max(0, slash));
    LeaseEnd end = times.readEnd(fields.word(), fields.number());
    int permits = fields.integer();
    int tokens = fields.integer();
    long token = fields.number();
    long leaseMillis = fields.number();
    long deadlineMillis = fields.number();
    boolean overtakes = fields.flag();
    boolean confirmed = fields.flag();
    return new StoredClaim(
        client,
        Long.parseLong(name.substring(slash + 1)),
        fields.text(),
        state,
        since,
        arrival,
        end,
        permits,
        tokens,
        token,
        leaseMillis,
        deadlineMillis,
        overtakes,
        confirmed);
  }
}
