package io.lockkeeper.cli.admin;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.OutputOptions;
import io.lockkeeper.cli.console.UserCommand;
import io.lockkeeper.cli.store.StoreOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lockkeeper namespaces}: the namespaces of a store. */
@Command(
    name = "namespaces",
    description = "Lists the namespaces that have anything at the store.",
    footer = {"", "Exit status: 0 done; 2 wrong command line; 3 the store is out of reach."})
public final class NamespacesCommand extends UserCommand {

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    try (Lockkeeper keeper = store.connect(Lockkeeper.builder())) {
      output.print(
          keeper.admin().namespaces(),
          name -> name,
          names -> names,
          "The store has no namespaces yet.");
      return ExitStatus.OK;
    }
  }
}
