package io.lockkeeper.jdbc;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.rule.CellRule;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one client. The row of a cell is locked by a transaction that changes it or begins
 * to watch it: so a watcher has either seen a change or is notified of it.
 *
 * <p>Where no notifications come to other clients nobody is noted as a watcher, and a read is one
 * statement.
 */
final class JdbcCells {

  private final Transactions transactions;
  private final Client client;
  private final CellTable table;

  JdbcCells(Transactions transactions, Dialect dialect, Client client) {
    this.transactions = transactions;
    this.client = client;
    this.table = new CellTable(dialect, client);
  }

  /** Cells and resources of one name must not get in each other's way. */
  private static String about(CellId cell) {
    return "cell " + cell.kind().suffix() + " " + cell.name();
  }

  // ------------------------------------------------------------- updates

  CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    return transactions.ask(about(update.cell()), session -> update(session, update));
  }

  private CellUpdated update(SqlSession session, CellUpdate update) throws SQLException {
    CellRow row = table.lock(session, update.cell());
    CellTable.Remembered last = table.remembered(session, row.id());
    // An update that comes again is known whatever the clock shows.
    if (last != null
        && (last.batch() == update.batch()
            || (last.untilMicros() > row.nowMicros() && last.batch() > update.batch()))) {
      return repeated(last, update);
    }
    CellRule.Updated made =
        CellRule.update(row.content(), update, CellRule.Writing.at(row.nowMicros()));
    long until = row.nowMicros() + Client.micros(update.rememberMillis());
    table.remember(
        session,
        row.id(),
        new CellTable.Remembered(update.batch(), CellTable.text(made.results()), until));
    if (made.isChange()) {
      table.save(session, row.id(), made.after());
      tellWatchers(session, row, update.cell());
    }
    return new CellUpdated(made.results());
  }

  private static CellUpdated repeated(CellTable.Remembered last, CellUpdate update) {
    if (last.batch() == update.batch()) {
      return new CellUpdated(CellTable.results(last.results()));
    }
    throw new RefusalException(StoreProblem.OTHER, CellRule.cameLate(update));
  }

  private void tellWatchers(SqlSession session, CellRow row, CellId cell) throws SQLException {
    if (client.notifications()) {
      for (String watcher : table.takeOtherWatchers(session, row.id(), row.nowMicros())) {
        session.notification(new Notification.Changed(watcher, cell));
      }
    }
  }

  // ------------------------------------------------------------- reads

  CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    List<CompletableFuture<Outcome<CellState>>> answers = new ArrayList<>();
    for (CellRead read : batch) {
      answers.add(transactions.ask(about(read.cell()), new Reading(read)));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
  }

  /** A read; one statement is enough unless it begins or ends the watching. */
  private final class Reading implements Step<CellState> {

    private final CellRead read;

    Reading(CellRead read) {
      this.read = read;
    }

    @Override
    public @Nullable CellState alone(SqlSession session) throws SQLException {
      if (read.watch() && client.notifications()) {
        return null;
      }
      CellRow row = table.find(session, read.cell());
      if (row == null) {
        return new CellState.Absent();
      }
      return row.isWatched() ? null : row.state(read.knownVersion());
    }

    @Override
    public CellState run(SqlSession session) throws SQLException {
      CellRow row = table.lock(session, read.cell());
      long end = read.watch() ? row.nowMicros() + client.heartbeatMicros() : 0;
      table.watch(session, row.id(), end);
      return row.state(read.knownVersion());
    }
  }
}
