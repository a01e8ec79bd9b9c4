package io.lockkeeper.cli;

import io.lockkeeper.cli.admin.CleanCommand;
import io.lockkeeper.cli.admin.ConsoleCommand;
import io.lockkeeper.cli.admin.ListCommand;
import io.lockkeeper.cli.admin.NamespacesCommand;
import io.lockkeeper.cli.admin.ReleaseCommand;
import io.lockkeeper.cli.admin.ShowCommand;
import io.lockkeeper.cli.console.UserCommand;
import io.lockkeeper.cli.doctor.DoctorCommand;
import io.lockkeeper.cli.exec.ExecCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/** {@code lockkeeper} without a subcommand. */
@Command(
    name = LockkeeperCommand.NAME,
    description = "Distributed locks for Java: run commands under them, and look after them.",
    synopsisSubcommandLabel = "COMMAND")
final class LockkeeperCommand extends UserCommand {

  /** The name of the program. */
  static final String NAME = "lockkeeper";

  /** The commands for people, by name, in the order in which the help lists them. */
  static final Map<String, Supplier<?>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("exec", ExecCommand::new);
    COMMANDS.put("list", ListCommand::new);
    COMMANDS.put("show", ShowCommand::new);
    COMMANDS.put("namespaces", NamespacesCommand::new);
    COMMANDS.put("release", ReleaseCommand::new);
    COMMANDS.put("clean", CleanCommand::new);
    COMMANDS.put("doctor", DoctorCommand::new);
    COMMANDS.put("console", ConsoleCommand::new);
  }

  @Override
  public Integer call() {
    throw wrong(new IllegalArgumentException("Which command? 'lockkeeper --help' lists them."));
  }
}
