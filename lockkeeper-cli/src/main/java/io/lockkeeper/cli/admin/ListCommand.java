package io.lockkeeper.cli.admin;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.OutputOptions;
import io.lockkeeper.cli.console.UserCommand;
import io.lockkeeper.cli.store.StoreOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockkeeper list}: everybody who holds or waits for anything. */
@Command(
    name = "list",
    description = "Lists who holds and who waits, over all programs that use the store.",
    footer = {"", "Exit status: 0 done; 2 wrong command line; 3 the store is out of reach."})
public final class ListCommand extends UserCommand {

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Only names that begin with this.")
  private String prefix = "";

  @Option(names = "--limit", paramLabel = "N", description = "At most so many names. Default: all.")
  private int limit = Integer.MAX_VALUE;

  @Option(names = "--cells", description = "List counters, shared values and latches instead.")
  private boolean cells;

  @Mixin private OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (limit < 1) {
      throw wrong(new IllegalArgumentException("--limit must be at least 1, was " + limit));
    }
    try (Lockkeeper keeper = store.connect(Lockkeeper.builder())) {
      if (cells) {
        String none = "There are no counters, shared values or latches.";
        output.print(keeper.cells(prefix, limit), ReportJson::cell, ReportText::cells, none);
      } else {
        List<ResourceReport> found = keeper.inspect(prefix, limit);
        String nobody = "Nobody holds or waits.";
        output.print(found, ReportJson::resource, ReportText::resources, nobody);
      }
      return ExitStatus.OK;
    }
  }
}
