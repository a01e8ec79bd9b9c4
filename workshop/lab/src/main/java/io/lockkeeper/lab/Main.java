package io.lockkeeper.lab;

import picocli.CommandLine;

/** The entry point of the laboratory. */
public final class Main {

  private Main() {}

  /** Runs the command in {@code args} and ends the JVM with its exit status. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command line with all subcommands, ready to execute. */
  public static CommandLine commandLine() {
    return io.lockkeeper.cli.Main.withManners(new CommandLine(new LabCommand()));
  }
}
