package io.lockkeeper.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs a command line inside this JVM. */
public final class CommandRun {

  /** What came of it. */
  public record Ended(int status, String out, String err) {}

  private CommandRun() {}

  /** Runs it. */
  public static Ended of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Ended(status, out.toString(), err.toString());
  }
}
