package io.lockkeeper.cli.console;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say how a result is printed. */
public final class OutputOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Write JSON instead of a table.")
  private boolean json;

  /**
   * Prints a result.
   *
   * @param toJson makes of each part of it what is written as JSON
   * @param toLines makes text of it
   * @param nothing what to say instead if it is empty
   */
  public <T> void print(
      List<T> result,
      Function<T, ?> toJson,
      Function<List<T>, List<String>> toLines,
      String nothing) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(result.stream().map(toJson).toList()));
    } else if (result.isEmpty()) {
      out.println(nothing);
    } else {
      toLines.apply(result).forEach(out::println);
    }
    out.flush();
  }
}
