package io.lockkeeper.cli.console;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command for people: where it prints, and how it refuses. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class, sortOptions = false)
public abstract class UserCommand implements Callable<Integer> {

  /** The name of the program. */
  public static final String PROGRAM = "lockkeeper";

  /** Null if it was not picocli that has read the command line, until something is to be said. */
  @Spec private @Nullable CommandSpec spec;

  /** Returns the command as picocli knows it. */
  public final CommandLine commandLine() {
    CommandSpec known = spec;
    return known == null
        ? new CommandLine(CommandSpec.create().name(PROGRAM))
            .addSubcommand(this)
            .getSubcommands()
            .values()
            .iterator()
            .next()
        : known.commandLine();
  }

  /** Returns where what the user asked for is printed. */
  protected final PrintWriter out() {
    return commandLine().getOut();
  }

  /** Returns where all else is printed. */
  protected final PrintWriter err() {
    return commandLine().getErr();
  }

  /** Prints a line of what the user asked for. */
  protected final void println(String line) {
    out().println(line);
    out().flush();
  }

  /** Prints a line of all else. */
  protected final void printlnAside(String line) {
    err().println(line);
    err().flush();
  }

  /** Returns what to throw when the command line turns out to be wrong. */
  protected final ParameterException wrong(IllegalArgumentException failure) {
    return new ParameterException(commandLine(), String.valueOf(failure.getMessage()), failure);
  }
}
