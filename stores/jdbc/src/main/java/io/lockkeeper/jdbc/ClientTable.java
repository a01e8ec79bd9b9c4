package io.lockkeeper.jdbc;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Named;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.support.ClientEntry;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The content of a namespace, and its clients.
 *
 * <p>Each client has a row with its name, which it writes before it asks for anything and again
 * once in a while, and deletes when it closes. What clients left that did not close is deleted by
 * others, a day after their last word.
 */
final class ClientTable {

  private static final long KEEP_MICROS = Duration.ofDays(1).toMillis() * 1_000;
  private static final long REFRESH_NANOS = Duration.ofHours(6).toNanos();
  private static final long FAREWELL_MILLIS = 2_000;
  private static final String ABOUT = "\uffff clients";

  /** Changes no row, as no client has this id, but takes a server that could. */
  static final String NO_CHANGE = "update lockkeeper_client set pid = pid where id = ''";

  private final Transactions transactions;
  private final Dialect dialect;
  private final String namespace;
  private final ClientInfo self;
  private final TimeSource time;
  private final AtomicLong refreshNanos;

  ClientTable(
      Transactions transactions,
      Dialect dialect,
      String namespace,
      ClientInfo self,
      TimeSource time) {
    this.transactions = transactions;
    this.dialect = dialect;
    this.namespace = namespace;
    this.self = self;
    this.time = time;
    this.refreshNanos = new AtomicLong(time.nanos());
  }

  // ------------------------------------------------------------- this client

  /** Writes this client's row for the first time, and waits for that. It is no harm if it fails. */
  void introduce(Duration limit) {
    refreshNanos.set(time.nanos() + REFRESH_NANOS);
    try {
      transactions.ask(ABOUT, this::write).get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      return; // others will not know its name
    }
  }

  /** Writes this client's row if it is time. Costs next to nothing if it is not. */
  void refresh() {
    long nowNanos = time.nanos();
    long due = refreshNanos.get();
    if (nowNanos - due >= 0 && refreshNanos.compareAndSet(due, nowNanos + REFRESH_NANOS)) {
      var unused = transactions.ask(ABOUT, this::write);
    }
  }

  /** Deletes this client's row, and waits for that for a moment, also if interrupted. */
  void close() {
    CompletableFuture<?> deleted = transactions.ask(ABOUT, this::delete);
    long end = time.nanos() + TimeUnit.MILLISECONDS.toNanos(FAREWELL_MILLIS);
    boolean interrupted = false;
    for (boolean over = false; !over; ) {
      try {
        deleted.get(end - time.nanos(), TimeUnit.NANOSECONDS);
        over = true;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | TimeoutException e) {
        over = true; // others delete it, later
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean write(SqlSession session) throws SQLException {
    long now = Objects.requireNonNull(session.first("select " + dialect.now, r -> r.getLong(1)));
    int changed =
        session.update(
            "update lockkeeper_client set seen_micros = ? where namespace = ? and id = ?",
            now,
            namespace,
            self.id());
    if (changed == 0) {
      session.update(
          dialect.insertIfAbsent(
              "into lockkeeper_client (namespace, id, name, host, pid, since_micros, seen_micros)"
                  + " values (?, ?, ?, ?, ?, ?, ?)"),
          namespace,
          self.id(),
          dialect.shown(Objects.toString(self.name(), "")),
          dialect.shown(Objects.toString(self.host(), "")),
          ClientEntry.stored(self.pid()),
          now,
          now);
      session.update("delete from lockkeeper_client where seen_micros < ?", now - KEEP_MICROS);
    }
    return true;
  }

  private boolean delete(SqlSession session) throws SQLException {
    session.update(
        "delete from lockkeeper_client where namespace = ? and id = ?", namespace, self.id());
    return true;
  }

  // ------------------------------------------------------------- all of them

  CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return transactions.ask(ABOUT, session -> clients(session, ids));
  }

  private List<ClientInfo> clients(SqlSession session, List<String> ids) throws SQLException {
    if (ids.equals(List.of(self.id()))) {
      session.update(NO_CHANGE); // it asks for a sign of life, which a read-only server is none of
    }
    List<ClientInfo> found = new ArrayList<>();
    for (String id : ids) {
      found.addAll(
          session.all(
              "select name, host, pid from lockkeeper_client where namespace = ? and id = ?",
              row ->
                  new ClientInfo(
                      id,
                      row.getString(1),
                      row.getString(2).isEmpty() ? null : row.getString(2),
                      ClientEntry.known(row.getLong(3))),
              namespace,
              id));
    }
    return found;
  }

  CompletionStage<Outcome<List<String>>> namespaces() {
    return transactions.ask(
        ABOUT,
        session ->
            session.all(
                "select namespace from lockkeeper_resource union"
                    + " select namespace from lockkeeper_cell",
                row -> new String(row.getBytes(1), StandardCharsets.UTF_8)));
  }

  CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    ResourceId after = listing.after();
    return list(
        "lockkeeper_resource where namespace = ?"
            + " and (holder is not null or waiting > 0 or grants > 0)",
        listing,
        after == null ? null : ResourceTable.name(after),
        after == null ? null : ResourceTable.word(after),
        ResourceTable::id);
  }

  CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    CellId after = listing.after();
    return list(
        "lockkeeper_cell where namespace = ? and value is not null and kind <> 'note'",
        listing,
        after == null ? null : after.name(),
        after == null ? null : after.kind().suffix(),
        (name, word) -> new CellId(CellKind.of(word), name));
  }

  /** Lists ids in the database's order of names, whatever its collation is. */
  private <I extends Named> CompletionStage<Outcome<List<I>>> list(
      String table,
      Listing<I> listing,
      @Nullable String afterName,
      @Nullable String afterWord,
      BiFunction<String, String, I> id) {
    StringBuilder statement = new StringBuilder("select name, kind from ").append(table);
    List<@Nullable Object> arguments = new ArrayList<>();
    arguments.add(namespace);
    if (!listing.prefix().isEmpty()) {
      statement.append(" and substr(name, 1, length(?)) = ?");
      arguments.addAll(List.of(listing.prefix(), listing.prefix()));
    }
    if (afterName != null) {
      statement.append(" and (name > ? or name = ? and kind > ?)");
      arguments.addAll(Arrays.asList(afterName, afterName, afterWord));
    }
    statement.append(" order by name, kind limit ?");
    arguments.add(listing.limit());
    return transactions.ask(
        ABOUT,
        session ->
            session.all(
                statement.toString(),
                row ->
                    id.apply(new String(row.getBytes(1), StandardCharsets.UTF_8), row.getString(2)),
                arguments.toArray()));
  }
}
