package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceKind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What people ask: one statement, which changes nothing. */
final class Views {

  private final Client client;
  private final String inspect;

  Views(Dialect dialect, Client client) {
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
  Step<Inspection> inspect(String resource) {
    return new Step<>() {
      @Override
      public Inspection run(Session session) throws SQLException {
        return look(session, resource);
      }

      @Override
      public Inspection alone(Session session) throws SQLException {
        return look(session, resource);
      }
    };
  }

  private Inspection look(Session session, String resource) throws SQLException {
    session.flush();
    ResourceKind kind = ResourceKind.of(resource);
    List<ClaimRow> claims = new ArrayList<>();
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
            ResourceKind.nameOf(resource),
            Resources.word(kind));
    if (rows.isEmpty()) {
      return Inspection.unknown(kind);
    }
    ResourceRow row = rows.get(0);
    List<Inspection.Waiter> waiters =
        claims.stream()
            .filter(claim -> claim.waits() && claim.isLive(row.nowMicros))
            .sorted(Comparator.comparingLong(ClaimRow::arrival))
            .map(claim -> waiter(claim, row.nowMicros))
            .toList();
    Inspection.@Nullable Holder holder = row.inspectHolder();
    return kind == ResourceKind.LOCK ? new Inspection(holder, waiters) : pool(row, claims, waiters);
  }

  private static Inspection pool(
      ResourceRow row, List<ClaimRow> claims, List<Inspection.Waiter> waiters) {
    List<Inspection.Holder> holders =
        claims.stream()
            .filter(claim -> claim.granted() && claim.isLive(row.nowMicros))
            .sorted(Comparator.comparingLong(ClaimRow::token))
            .map(claim -> holder(claim, row.nowMicros))
            .toList();
    boolean inUse = row.resized || !holders.isEmpty() || !waiters.isEmpty();
    long out = holders.stream().mapToLong(Inspection.Holder::permits).sum();
    return new Inspection(holders, waiters, inUse ? row.limit : Inspection.UNSET, out);
  }

  private static Inspection.Holder holder(ClaimRow claim, long nowMicros) {
    return new Inspection.Holder(
        claim.client(),
        claim.claim(),
        claim.token(),
        claim.permits(),
        claim.endMicros() - nowMicros,
        nowMicros - claim.sinceMicros(),
        claim.label());
  }

  private static Inspection.Waiter waiter(ClaimRow claim, long nowMicros) {
    return new Inspection.Waiter(
        claim.client(),
        claim.claim(),
        claim.permits(),
        nowMicros - claim.sinceMicros(),
        claim.label());
  }
}
