package io.lockkeeper.cli;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.console.Secrets;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The entry point of {@code lockkeeper}. */
public final class Main {

  /** Kept, because the loggers of java.util.logging are forgotten with what was set. */
  private static final Logger LIBRARY = Logger.getLogger("io.lockkeeper");

  private Main() {}

  /** Runs the command in {@code args} and ends the JVM with its exit status. */
  public static void main(String[] args) {
    LIBRARY.setLevel(Level.WARNING); // a command says itself what it does
    System.exit(commandLine(args).execute(args));
  }

  /**
   * Returns the command line for these arguments: of the command that they begin with, or else with
   * all of them. To read the options of the others would cost a start more than the command itself.
   */
  static CommandLine commandLine(String[] args) {
    Supplier<?> command = args.length == 0 ? null : LockkeeperCommand.COMMANDS.get(args[0]);
    return command == null
        ? commandLine()
        : withManners(
            new CommandLine(CommandSpec.create().name(LockkeeperCommand.NAME))
                .addSubcommand(command.get()));
  }

  /** Returns the command line with all subcommands, ready to execute. */
  public static CommandLine commandLine() {
    CommandLine commands = new CommandLine(new LockkeeperCommand());
    LockkeeperCommand.COMMANDS.values().forEach(each -> commands.addSubcommand(each.get()));
    commands.addSubcommand(new AutoComplete.GenerateCompletion());
    commands.addSubcommand(new WarmUpCommand());
    return withManners(commands);
  }

  /** Gives a command line the manners of this one: how it takes input and reports failures. */
  public static CommandLine withManners(CommandLine commands) {
    return commands
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false) // arguments of other people's commands stay as they are
        .setExitCodeExceptionMapper(failure -> ExitStatus.CANNOT_RUN)
        .setParameterExceptionHandler((failure, args) -> explainUsage(failure))
        .setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, command));
  }

  private static int explainUsage(ParameterException failure) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(Secrets.messageOf(failure));
    CommandLine.UnmatchedArgumentException.printSuggestions(failure, err);
    if (failure instanceof CommandLine.UnmatchedArgumentException unmatched
        && command.getParent() == null
        && unmatched.getUnmatched().get(0).startsWith("-")) {
      err.println(
          "Options come after the command, as in '"
              + LockkeeperCommand.NAME
              + " list --store URL'.");
    }
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static int explain(Exception failure, CommandLine command) {
    PrintWriter err = command.getErr();
    if (failure instanceof CannotRunException || failure instanceof LockkeeperException) {
      err.println("lockkeeper: " + Secrets.messageOf(failure));
    } else {
      err.println("lockkeeper: unexpected failure, please report it:");
      StringWriter trace = new StringWriter();
      // Into a text, not to a stream: secrets are taken out before anybody sees it.
      failure.printStackTrace(new PrintWriter(trace));
      err.print(Secrets.hide(trace.toString()));
    }
    err.flush();
    int own = command.getCommandSpec().exitCodeOnExecutionException();
    return own == ExitCode.SOFTWARE ? ExitStatus.CANNOT_RUN : own;
  }
}
