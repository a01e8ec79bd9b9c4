package io.lockkeeper.lab.oversell.report;

import io.lockkeeper.lab.oversell.contest.ArrivalCheck;
import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.report.Numbers;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A column of the table, in text and in HTML.
 *
 * @param title its head
 * @param text what stands in it; {@code -} where it does not apply
 */
record Column(String title, Function<VariantResult, String> text) {

  static final String NOT_APPLICABLE = "-";

  static final List<Column> ALL =
      List.of(
          new Column("variant", row -> row.strategy().name()),
          new Column("orders/s", row -> Numbers.count(Math.round(row.ordersPerSecond()))),
          new Column("wait p50 ms", row -> wait(row, 50)),
          new Column("p99 ms", row -> wait(row, 99)),
          new Column("max ms", row -> wait(row, 100)),
          new Column("commands/order", Column::commands),
          new Column("stock left", row -> Numbers.count(row.books().stockLeft())),
          new Column("sold", row -> Numbers.count(row.books().sold())),
          new Column("oversold", row -> Numbers.count(row.oversold())),
          new Column("order violations", Column::violations));

  String of(VariantResult row) {
    return text.apply(row);
  }

  private static String wait(VariantResult row, double percentile) {
    return row.waitsInLine() ? Numbers.millis(row.waitNanos(percentile)) : NOT_APPLICABLE;
  }

  private static String commands(VariantResult row) {
    OptionalDouble commands = row.commandsPerOrder();
    return commands.isEmpty() ? NOT_APPLICABLE : Numbers.threeDigits(commands.getAsDouble());
  }

  private static String violations(VariantResult row) {
    ArrivalCheck check = row.arrivals();
    return check == null ? NOT_APPLICABLE : Numbers.count(check.violations());
  }
}
