package io.lockkeeper.cli.admin;

import io.lockkeeper.CellReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.cli.store.StoreOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockkeeper list}: everybody who holds or waits for anything. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Lists who holds and who waits, over all programs that use the store.",
    footer = {"", "Exit status: 0 done; 2 wrong command line; 3 the store is out of reach."})
public final class ListCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Only names that begin with this.")
  private String prefix = "";

  @Option(names = "--limit", paramLabel = "N", description = "At most so many names. Default: all.")
  private int limit = Integer.MAX_VALUE;

  @Option(names = "--cells", description = "List counters, shared values and latches instead.")
  private boolean cells;

  @Option(names = "--json", description = "Write JSON instead of a table.")
  private boolean json;

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit must be at least 1, was " + limit);
    }
    try (Lockkeeper keeper = store.connect(Lockkeeper.builder())) {
      PrintWriter out = spec.commandLine().getOut();
      if (cells) {
        print(out, keeper.cells(prefix, limit), json);
      } else {
        print(out, keeper.inspect(prefix, limit), json, "Nobody holds or waits.");
      }
      return ExitStatus.OK;
    }
  }

  /**
   * Prints reports.
   *
   * @param nobody what to say if there are none
   */
  static void print(PrintWriter out, List<ResourceReport> reports, boolean json, String nobody) {
    if (json) {
      out.println(ReportJson.write(reports));
    } else if (reports.isEmpty()) {
      out.println(nobody);
    } else {
      ReportText.lines(reports).forEach(out::println);
    }
    out.flush();
  }

  private static void print(PrintWriter out, List<CellReport> reports, boolean json) {
    if (json) {
      out.println(ReportJson.writeCells(reports));
    } else if (reports.isEmpty()) {
      out.println("There are no counters, shared values or latches.");
    } else {
      Table table = new Table("NAME", "KIND", "NUMBER", "BYTES");
      for (CellReport report : reports) {
        OptionalLong number = report.number();
        table.row(
            report.name(),
            report.kind(),
            number.isPresent() ? number.getAsLong() : "-",
            report.size());
      }
      table.lines().forEach(out::println);
    }
    out.flush();
  }
}
