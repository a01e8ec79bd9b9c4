package io.lockkeeper.cli.admin;

import io.lockkeeper.CellReport;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.HolderReport;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.WaiterReport;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.cli.console.WaitTime;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reports who holds and who waits, as a table; or what cells there are. */
final class ReportText {

  private static final String NONE = "-";

  /**
   * In place of a thread, where the client hands a lock off and the store does not see to which.
   */
  private static final String NOT_KNOWN = "?";

  private ReportText() {}

  /** Returns a table with a row for everybody who holds or waits. */
  static List<String> resources(List<ResourceReport> reports) {
    Table table =
        new Table(
            "NAME",
            "KIND",
            "STATE",
            "CLIENT",
            "HOST",
            "PID",
            "THREAD",
            "FOR",
            "TOKEN",
            "LEASE LEFT",
            "PERMITS",
            "CLIENT ID");
    for (ResourceReport report : reports) {
      report.holders().forEach(holder -> add(table, report, holder));
      report.waiters().forEach(waiter -> add(table, report, waiter));
    }
    return table.lines();
  }

  private static void add(Table table, ResourceReport report, HolderReport holder) {
    ClientInfo client = holder.client();
    table.row(
        report.name(),
        report.kind().id(),
        holder.resting() ? "rests" : "holds",
        client,
        orNone(client.host()),
        orNone(client.pid()),
        holder.resting() ? NONE : thread(report, holder.thread()),
        WaitTime.text(holder.held()),
        holder.token(),
        WaitTime.text(holder.leaseLeft()),
        permits(report, holder.permits()),
        client.id());
  }

  private static void add(Table table, ResourceReport report, WaiterReport waiter) {
    ClientInfo client = waiter.client();
    table.row(
        report.name(),
        report.kind().id(),
        "waits, " + waiter.position() + ".",
        client,
        orNone(client.host()),
        orNone(client.pid()),
        thread(report, waiter.thread()),
        WaitTime.text(waiter.waited()),
        NONE,
        NONE,
        permits(report, waiter.permits()),
        client.id());
  }

  private static Object thread(ResourceReport report, @Nullable String thread) {
    return thread == null && report.kind() == ResourceKind.LOCK ? NOT_KNOWN : orNone(thread);
  }

  /** Returns a table with a row for each cell. */
  static List<String> cells(List<CellReport> reports) {
    Table table = new Table("NAME", "KIND", "NUMBER", "BYTES");
    for (CellReport report : reports) {
      OptionalLong number = report.number();
      table.row(
          report.name(),
          report.kind(),
          number.isPresent() ? number.getAsLong() : NONE,
          report.size());
    }
    return table.lines();
  }

  private static Object orNone(@Nullable Object cell) {
    return cell == null ? NONE : cell;
  }

  /** Says {@code 2/3} of a semaphore, and whether it is a reader or the writer. */
  static String permits(ResourceReport report, OptionalInt permits) {
    return switch (report.kind()) {
      case READ_WRITE_LOCK -> permits.isEmpty() ? "writer" : "reader";
      case SEMAPHORE -> text(permits) + "/" + text(report.limit());
      default -> NONE;
    };
  }

  private static String text(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "?";
  }
}
