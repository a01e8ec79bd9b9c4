package io.lockkeeper.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A row of {@code lockkeeper_claim}.
 *
 * @param client whose it is
 * @param claim its number
 * @param label whose it is, for people
 * @param state whether it waits, is granted, or was taken back
 * @param sinceMicros when it was granted, or arrived
 * @param arrival its place in the order of arrival
 * @param endMicros when the grant is over, or the waiting claim dead
 * @param permits how many permits it has or wants
 * @param tokens how many tokens it wants
 * @param token the token that it got
 * @param leaseMillis the lease that it asks for
 * @param deadlineMillis how long its grant lasts until it is confirmed
 * @param overtakes whether it may overtake
 * @param confirmed whether the grant has its full lease
 * @param givenMicros the lease that was given when the end was last written by a client that notes
 *     it
 * @param givenEndMicros the end as that client wrote it
 */
record ClaimRow(
    String client,
    long claim,
    String label,
    State state,
    long sinceMicros,
    long arrival,
    long endMicros,
    int permits,
    int tokens,
    long token,
    long leaseMillis,
    long deadlineMillis,
    boolean overtakes,
    boolean confirmed,
    long givenMicros,
    long givenEndMicros) {

  /** What a claim is, as in the column {@code granted}. */
  enum State {
    WAITING(0),
    GRANTED(1),
    /** Of a barrier: it is refused if it comes again. */
    WITHDRAWN(2);

    /** What stands in the column. */
    final int number;

    State(int number) {
      this.number = number;
    }

    private static State of(int number) {
      return switch (number) {
        case 1 -> GRANTED;
        case 2 -> WITHDRAWN;
        default -> WAITING;
      };
    }
  }

  /** The columns that {@link #read} reads, as those of {@code c}. */
  static final String COLUMNS =
      "c.client as c_client, c.claim as c_claim, c.label as c_label, c.granted as c_granted,"
          + " c.since_micros as c_since, c.arrival as c_arrival, c.end_micros as c_end,"
          + " c.permits as c_permits, c.tokens as c_tokens, c.token as c_token,"
          + " c.lease_millis as c_lease, c.deadline_millis as c_deadline,"
          + " c.overtakes as c_overtakes, c.confirmed as c_confirmed,"
          + " c.given_micros as c_given, c.given_end_micros as c_given_end";

  static ClaimRow read(ResultSet row) throws SQLException {
    return new ClaimRow(
        row.getString("c_client"),
        row.getLong("c_claim"),
        row.getString("c_label"),
        State.of(row.getInt("c_granted")),
        row.getLong("c_since"),
        row.getLong("c_arrival"),
        row.getLong("c_end"),
        row.getInt("c_permits"),
        row.getInt("c_tokens"),
        row.getLong("c_token"),
        row.getLong("c_lease"),
        row.getLong("c_deadline"),
        row.getInt("c_overtakes") != 0,
        row.getInt("c_confirmed") != 0,
        row.getLong("c_given"),
        row.getLong("c_given_end"));
  }

  boolean granted() {
    return state == State.GRANTED;
  }

  boolean waits() {
    return state == State.WAITING;
  }

  boolean isLive(long nowMicros) {
    return nowMicros < endMicros;
  }

  /** Returns it with its end where it could be at most, if a clock has moved it further ahead. */
  ClaimRow pulledBack(long nowMicros) {
    boolean isTooFarAhead =
        givenMicros > 0 && givenEndMicros == endMicros && endMicros - nowMicros > givenMicros;
    return isTooFarAhead ? lasting(nowMicros, givenMicros) : this;
  }

  /** Returns it with a later end, or as it is. */
  ClaimRow extended(long nowMicros, long micros) {
    ClaimRow right = pulledBack(nowMicros);
    return nowMicros + micros > right.endMicros ? lasting(nowMicros, micros) : right;
  }

  private ClaimRow lasting(long nowMicros, long micros) {
    long end = nowMicros + micros;
    return new ClaimRow(
        client,
        claim,
        label,
        state,
        sinceMicros,
        arrival,
        end,
        permits,
        tokens,
        token,
        leaseMillis,
        deadlineMillis,
        overtakes,
        confirmed,
        micros,
        end);
  }

  boolean belongsWith(ClaimRow next) {
    return client.equals(next.client) && leaseMillis == next.leaseMillis;
  }
}
