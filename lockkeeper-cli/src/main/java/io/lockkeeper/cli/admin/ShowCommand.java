package io.lockkeeper.cli.admin;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.cli.store.StoreOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockkeeper show}: who holds one thing, and who waits for it. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Shows who holds a lock and who waits for it.",
    footer = {
      "",
      "Exit status: 0 somebody holds it or waits; 1 nobody does; 2 wrong command line; 3 the store"
          + " is out of reach."
    })
public final class ShowCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private Lookup lookup = new Lookup();

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--json", description = "Write JSON instead of a table.")
  private boolean json;

  @Override
  public Integer call() {
    try (Lockkeeper keeper = store.connect(Lockkeeper.builder())) {
      List<ResourceReport> found = lookup.find(keeper);
      String nobody = "Nobody holds or waits for '" + lookup.name + "'.";
      ListCommand.print(spec.commandLine().getOut(), found, json, nobody);
      return found.isEmpty() ? ExitStatus.FAILED : ExitStatus.OK;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
