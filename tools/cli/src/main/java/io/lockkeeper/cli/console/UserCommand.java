package io.lockkeeper.cli.console;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command for people: where it prints, and how it refuses. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class, sortOptions = false)
public abstract class UserCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Returns where what the user asked for is printed. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Returns where all else is printed. */
  protected final PrintWriter err() {
    return spec.commandLine().getErr();
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
    return new ParameterException(
        spec.commandLine(), String.valueOf(failure.getMessage()), failure);
  }
}
