package io.lockkeeper.lab;

import io.lockkeeper.cli.console.Version;
import io.lockkeeper.lab.oversell.OversellCommand;
import io.lockkeeper.lab.oversell.OversellWorkerCommand;
import io.lockkeeper.lab.soak.SoakCommand;
import io.lockkeeper.lab.torture.TortureCommand;
import io.lockkeeper.lab.torture.TortureWorkerCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code lockkeeper lab} without a subcommand: shows its help. An experiment is listed here, and in
 * the script {@code lockkeeper}, so that it is found without the word {@code lab} too.
 */
@Command(
    name = "lockkeeper",
    description = "Experiments with distributed locks: try them out, break them, measure them.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      OversellCommand.class,
      OversellWorkerCommand.class,
      TortureCommand.class,
      TortureWorkerCommand.class,
      SoakCommand.class
    })
final class LabCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Which experiment? 'lockkeeper lab --help' lists them.");
  }
}
