package io.lockkeeper.cli;

import io.lockkeeper.cli.admin.ListCommand;
import io.lockkeeper.cli.admin.ReleaseCommand;
import io.lockkeeper.cli.admin.ShowCommand;
import io.lockkeeper.cli.clean.CleanCommand;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.cli.doctor.DoctorCommand;
import io.lockkeeper.cli.exec.ExecCommand;
import io.lockkeeper.cli.page.ConsoleCommand;
import java.util.Map;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code lockkeeper} without a subcommand: shows its help. A new subcommand is listed here, twice.
 */
@Command(
    name = LockkeeperCommand.NAME,
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
      ConsoleCommand.class,
      AutoComplete.GenerateCompletion.class,
      WarmUpCommand.class
    })
final class LockkeeperCommand implements Runnable {

  /** The name of the program. */
  static final String NAME = "lockkeeper";

  /** The commands for people, by name. */
  static final Map<String, Supplier<?>> COMMANDS =
      Map.of(
          "exec", ExecCommand::new,
          "list", ListCommand::new,
          "show", ShowCommand::new,
          "release", ReleaseCommand::new,
          "clean", CleanCommand::new,
          "doctor", DoctorCommand::new,
          "console", ConsoleCommand::new);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Which command? 'lockkeeper --help' lists them.");
  }
}
