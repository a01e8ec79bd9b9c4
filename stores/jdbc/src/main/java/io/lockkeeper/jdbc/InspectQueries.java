package io.lockkeeper.jdbc;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.LockGrant;
import io.lockkeeper.spi.rule.StoredClaim;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers questions of people: with one statement, which changes nothing. */
final class InspectQueries {

  private final Client client;
  private final String inspect;

  InspectQueries(Dialect dialect, Client client) {
    this.client = client;
    this.inspect =
        "select "
            + ResourceRow.COLUMNS
            + ", "
            + dialect.now
            + " as now_micros, "
            + ClaimRow.COLUMNS
            + " from lockkeeper_resource r left join lockkeeper_claim c on c.resource_id = r.id"
            + " where r.namespace = ? and r.name = ? and r.kind = ?";
  }

  /** Returns a step that says who holds a resource and who waits for it. */
  Step<Inspection> inspect(ResourceId resource) {
    return new Step<>() {
      @Override
      public Inspection run(SqlSession session) throws SQLException {
        return look(session, resource);
      }

      @Override
      public Inspection alone(SqlSession session) throws SQLException {
        return look(session, resource);
      }
    };
  }

  private Inspection look(SqlSession session, ResourceId resource) throws SQLException {
    session.flush();
    ResourceKind kind = resource.kind();
    List<StoredClaim> claims = new ArrayList<>();
    List<ResourceRow> rows =
        session.all(
            inspect,
            row -> {
              if (row.getString("c_client") != null) {
                claims.add(ClaimRow.read(row));
              }
              return ResourceRow.read(row);
            },
            client.namespace(),
            ResourceTable.name(resource),
            ResourceTable.word(resource));
    if (rows.isEmpty()) {
      return Inspection.unknown(kind);
    }
    ResourceRow row = rows.get(0);
    List<Inspection.Waiter> waiters =
        claims.stream()
            .filter(claim -> claim.isWaiting() && claim.isLive(row.nowMicros))
            .sorted(Comparator.comparingLong(StoredClaim::arrival))
            .map(claim -> claim.inspectWaiting(row.nowMicros))
            .toList();
    return kind.isExclusive() ? new Inspection(holder(row), waiters) : pool(row, claims, waiters);
  }

  private static Inspection.@Nullable Holder holder(ResourceRow row) {
    LockGrant held = row.lock().holder();
    return held == null || row.time().isOver(held.end().micros())
        ? null
        : held.inspect(row.nowMicros);
  }

  private static Inspection pool(
      ResourceRow row, List<StoredClaim> claims, List<Inspection.Waiter> waiters) {
    List<Inspection.Holder> holders =
        claims.stream()
            .filter(claim -> claim.isGranted() && claim.isLive(row.nowMicros))
            .sorted(Comparator.comparingLong(StoredClaim::token))
            .map(claim -> claim.inspectGrant(row.nowMicros))
            .toList();
    boolean inUse = row.resized || !holders.isEmpty() || !waiters.isEmpty();
    long out = holders.stream().mapToLong(Inspection.Holder::permits).sum();
    return new Inspection(holders, waiters, inUse ? row.limit : Inspection.UNSET, out);
  }
}
