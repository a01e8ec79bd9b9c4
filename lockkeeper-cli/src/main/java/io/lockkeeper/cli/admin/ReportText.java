package io.lockkeeper.cli.admin;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.HolderReport;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.WaiterReport;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.cli.console.WaitTime;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reports who holds and who waits, as a table. */
final class ReportText {

  private static final String NONE = "-";

  private ReportText() {}

  /** Returns a table with a row for everybody who holds or waits. */
  static List<String> lines(List<ResourceReport> reports) {
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
        KindName.of(report.kind()),
        holder.resting() ? "rests" : "holds",
        client,
        host(client),
        pid(client),
        thread(holder.thread()),
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
        KindName.of(report.kind()),
        "waits, " + waiter.position() + ".",
        client,
        host(client),
        pid(client),
        thread(waiter.thread()),
        WaitTime.text(waiter.waited()),
        NONE,
        NONE,
        permits(report, waiter.permits()),
        client.id());
  }

  private static String host(ClientInfo client) {
    return client.host() == null ? NONE : client.host();
  }

  private static String pid(ClientInfo client) {
    return client.pid() == null ? NONE : client.pid().toString();
  }

  private static String thread(@Nullable String thread) {
    return thread == null ? NONE : thread;
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
