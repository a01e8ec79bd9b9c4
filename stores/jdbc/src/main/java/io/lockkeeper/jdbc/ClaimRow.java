package io.lockkeeper.jdbc;

import io.lockkeeper.spi.rule.LeaseEnd;
import io.lockkeeper.spi.rule.StoredClaim;
import io.lockkeeper.spi.rule.StoredClaim.State;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A row of {@code lockkeeper_claim}. */
final class ClaimRow {

  /** The columns that {@link #read} reads, as those of {@code c}. */
  static final String COLUMNS =
      "c.client as c_client, c.claim as c_claim, c.label as c_label, c.granted as c_granted,"
          + " c.since_micros as c_since, c.arrival as c_arrival, c.end_micros as c_end,"
          + " c.permits as c_permits, c.tokens as c_tokens, c.token as c_token,"
          + " c.lease_millis as c_lease, c.deadline_millis as c_deadline,"
          + " c.overtakes as c_overtakes, c.confirmed as c_confirmed,"
          + " c.given_micros as c_given";

  private ClaimRow() {}

  static StoredClaim read(ResultSet row) throws SQLException {
    return new StoredClaim(
        row.getString("c_client"),
        row.getLong("c_claim"),
        row.getString("c_label"),
        state(row.getInt("c_granted")),
        row.getLong("c_since"),
        row.getLong("c_arrival"),
        new LeaseEnd(row.getLong("c_end"), row.getLong("c_given")),
        row.getInt("c_permits"),
        row.getInt("c_tokens"),
        row.getLong("c_token"),
        row.getLong("c_lease"),
        row.getLong("c_deadline"),
        row.getInt("c_overtakes") != 0,
        row.getInt("c_confirmed") != 0);
  }

  private static State state(int granted) {
    return switch (granted) {
      case 1 -> State.GRANTED;
      case 2 -> State.DONE;
      default -> State.WAITING;
    };
  }

  /** Returns what stands for a state in the column {@code granted}. */
  static int number(State state) {
    return switch (state) {
      case WAITING -> 0;
      case GRANTED -> 1;
      case DONE -> 2;
    };
  }
}
