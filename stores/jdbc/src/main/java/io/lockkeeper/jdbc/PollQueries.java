package io.lockkeeper.jdbc;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.LockGrant;
import io.lockkeeper.spi.rule.StoredClaim;
import io.lockkeeper.spi.rule.StoredClaim.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers polls by reading only, many with one statement and without a lock on any row. That is
 * enough as long as nothing has to be written down: no grant is over, no claim can be admitted, and
 * this client was heard of not long ago.
 */
final class PollQueries {

  /** How many polls a statement answers: there are few different statements to prepare. */
  private static final int[] SIZES = {1, 8, 100};

  private final Client client;
  private final Marks marks;
  private final String head;
  private final Map<Integer, String> statements = new HashMap<>();

  PollQueries(Dialect dialect, Client client, Marks marks) {
    this.client = client;
    this.marks = marks;
    this.head =
        "select "
            + ResourceRow.COLUMNS
            + ", "
            + dialect.now
            + " as now_micros, r.name, r.kind, "
            + marks.columns()
            + ", "
            + ClaimRow.COLUMNS
            + ", case when r.waiting = 0 then null else (select min(m.end_micros)"
            + " from lockkeeper_claim m where m.resource_id = r.id and m.client = ?"
            + " and m.granted = 0) end as mine_end,"
            + " case when r.holder = ? and r.waiting > 0 and exists (select 1"
            + " from lockkeeper_claim o where o.resource_id = r.id and o.granted = 0"
            + " and o.client <> ? and o.end_micros > "
            + dialect.now
            + ") then 1 else 0 end as others"
            + " from lockkeeper_resource r left join lockkeeper_claim c"
            + " on c.resource_id = r.id and c.client = ? and c.claim in (";
    for (int size : SIZES) {
      String places = String.join(", ", Collections.nCopies(size, "?"));
      statements.put(
          size, head + places + ") where r.namespace = ? and r.name in (" + places + ")");
    }
  }

  /** The findings about one resource: its row, and this client's claims that were asked about. */
  private static final class Found {

    private final ResourceRow row;
    private final boolean othersWait;
    private final long mineEnd;
    private final boolean waitsToo;
    private final Map<Long, StoredClaim> claims = new HashMap<>();

    Found(ResultSet result) throws SQLException {
      row = ResourceRow.readWithMark(result);
      othersWait = result.getInt("others") != 0;
      mineEnd = result.getLong("mine_end");
      waitsToo = !result.wasNull();
    }
  }

  /** Returns a step that answers polls; empty for those that take more than reading. */
  Step<List<Optional<PollAnswer>>> read(List<PollRequest> batch) {
    return new Step<>() {
      @Override
      public List<Optional<PollAnswer>> run(SqlSession session) throws SQLException {
        return answers(session, batch);
      }

      @Override
      public List<Optional<PollAnswer>> alone(SqlSession session) throws SQLException {
        return answers(session, batch);
      }
    };
  }

  private List<Optional<PollAnswer>> answers(SqlSession session, List<PollRequest> batch)
      throws SQLException {
    session.flush();
    List<Optional<PollAnswer>> answers = new ArrayList<>();
    int max = SIZES[SIZES.length - 1];
    for (int from = 0; from < batch.size(); from += max) {
      List<PollRequest> part = batch.subList(from, Math.min(batch.size(), from + max));
      Map<ResourceId, Found> found = find(session, part);
      for (PollRequest request : part) {
        answers.add(Optional.ofNullable(answer(found.get(request.resource()), request)));
      }
    }
    return answers;
  }

  private Map<ResourceId, Found> find(SqlSession session, List<PollRequest> batch)
      throws SQLException {
    int size = SIZES[SIZES.length - 1];
    for (int i = SIZES.length - 1; i >= 0 && SIZES[i] >= batch.size(); i--) {
      size = SIZES[i];
    }
    List<Object> arguments = new ArrayList<>();
    Collections.addAll(arguments, client.id(), client.id(), client.id(), client.id());
    for (int i = 0; i < size; i++) {
      arguments.add(batch.get(Math.min(i, batch.size() - 1)).claim());
    }
    arguments.add(client.namespace());
    for (int i = 0; i < size; i++) {
      arguments.add(ResourceTable.name(batch.get(Math.min(i, batch.size() - 1)).resource()));
    }
    Map<ResourceId, Found> found = new HashMap<>();
    String sql = String.valueOf(statements.get(size));
    session.all(sql, row -> note(row, found), arguments.toArray());
    return found;
  }

  private static boolean note(ResultSet row, Map<ResourceId, Found> found) throws SQLException {
    ResourceId resource = ResourceTable.id(row.getString("name"), row.getString("kind"));
    Found there = found.get(resource);
    if (there == null) {
      there = new Found(row);
      found.put(resource, there);
    }
    if (row.getString("c_client") != null) {
      StoredClaim claim = ClaimRow.read(row);
      there.claims.put(claim.claim(), claim);
    }
    return true;
  }

  /** Returns the answer, or null if it takes more than reading. */
  private @Nullable PollAnswer answer(@Nullable Found found, PollRequest request) {
    if (found == null) {
      return new PollAnswer.Gone();
    }
    ResourceRow row = found.row;
    long lifeLeft = found.mineEnd - row.nowMicros;
    boolean isFresh = lifeLeft >= client.freshMicros() && lifeLeft <= client.heartbeatMicros();
    if (marks.isNews(row) || (found.waitsToo && !isFresh)) {
      return null;
    }
    StoredClaim claim = found.claims.get(request.claim());
    return request.resource().isExclusive()
        ? lock(found, row, claim)
        : pool(request.resource(), row, claim);
  }

  private @Nullable PollAnswer lock(Found found, ResourceRow row, @Nullable StoredClaim claim) {
    LockGrant held = row.lock().holder();
    long now = row.nowMicros;
    if (held != null && held.end().isTooFarAhead(now)) {
      return null;
    } else if (held == null || row.time().isOver(held.end().micros())) {
      return row.waiting == 0 ? new PollAnswer.Gone() : null;
    } else if (held.client().equals(client.id())) {
      return new PollAnswer.Granted(held.toGrant(now, found.othersWait));
    } else if (claim == null) {
      return new PollAnswer.Gone();
    } else if (client.notifications() && held.hasTokensToSpare()) {
      return null; // the holder may have to be told
    }
    return new Queued(now, held.end().micros() - now, claim.arrival());
  }

  private @Nullable PollAnswer pool(
      ResourceId resource, ResourceRow row, @Nullable StoredClaim claim) {
    boolean mayLetIn =
        row.waiting > 0 && row.limit > row.out && resource.kind() != ResourceKind.BARRIER;
    if (row.mayHaveGrantsOver() || mayLetIn) {
      return null;
    } else if (claim == null || claim.state() == State.DONE) {
      return new PollAnswer.Gone();
    } else if (claim.isGranted()) {
      return new PollAnswer.Granted(claim.toGrant(row.nowMicros));
    }
    long firstEnd = row.grants == 0 ? client.heartbeatMicros() : row.end().micros() - row.nowMicros;
    return new Queued(row.nowMicros, firstEnd, claim.arrival());
  }
}
