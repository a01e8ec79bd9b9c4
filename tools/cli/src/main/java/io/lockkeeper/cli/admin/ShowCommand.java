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

/** {@code lockkeeper show}: who holds one thing, and who waits for it. */
@Command(
    name = "show",
    aliases = "inspect",
    description = "Shows who holds a lock and who waits for it.",
    footer = {
      "",
      "Exit status: 0 somebody holds it or waits; 1 nobody does; 2 wrong command line; 3 the store"
          + " is out of reach."
    })
public final class ShowCommand extends UserCommand {

  @Mixin private Lookup lookup = new Lookup();

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    try (Lockkeeper keeper = store.connect(Lockkeeper.builder())) {
      List<ResourceReport> found = lookup.find(keeper);
      String nobody =
          found.isEmpty()
              ? Namespaces.nothing("Nobody holds or waits for '" + lookup.name + "'", keeper, store)
              : "";
      output.print(found, ResourceReport::toMap, ReportText::resources, nobody);
      return found.isEmpty() ? ExitStatus.FAILED : ExitStatus.OK;
    } catch (IllegalArgumentException e) {
      throw wrong(e);
    }
  }
}
