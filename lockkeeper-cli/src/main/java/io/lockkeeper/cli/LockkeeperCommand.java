package io.lockkeeper.cli;

import io.lockkeeper.cli.admin.ListCommand;
import io.lockkeeper.cli.admin.ReleaseCommand;
import io.lockkeeper.cli.admin.ShowCommand;
import io.lockkeeper.cli.clean.CleanCommand;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.cli.doctor.DoctorCommand;
import io.lockkeeper.cli.exec.ExecCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockkeeper} without a subcommand: shows its help. A new subcommand is listed here. */
@Command(
    name = "lockkeeper",
    description = "Distributed locks for Java: run commands under them, and look after them.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ExecCommand.class,
      ListCommand.class,
      ShowCommand.class,
      ReleaseCommand.class,
      CleanCommand.class,
      DoctorCommand.class,
      AutoComplete.GenerateCompletion.class,
      WarmUpCommand.class
    })
final class LockkeeperCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Which command? 'lockkeeper --help' lists them.");
  }
}
