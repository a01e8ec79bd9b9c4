package io.lockkeeper.bench;

import io.lockkeeper.bench.growth.GrowthCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command line of the benchmark. */
@Command(
    name = "workshop/bench/run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures Lockkeeper and other lock libraries side by side.",
    subcommands = {
      RunCommand.class,
      ServicesCommand.class,
      GrowthCommand.class,
      Bench.RenderCommand.class
    })
public final class Bench {

  private Bench() {}

  /** Runs the command line and exits with its status. */
  public static void main(String[] args) {
    String[] withDefault = startsWithCommand(args) ? args : prepend("compare", args);
    System.exit(commandLine().execute(withDefault));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static boolean startsWithCommand(String[] args) {
    return args.length > 0 && (!args[0].startsWith("-") || args[0].matches("-h|--help"));
  }

  private static String[] prepend(String first, String[] rest) {
    String[] all = new String[rest.length + 1];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  /** Makes the report of an earlier run again. */
  @Command(
      name = "render",
      mixinStandardHelpOptions = true,
      description = "Makes the page of an earlier run from its results.")
  static final class RenderCommand implements Callable<Integer> {

    @Parameters(paramLabel = "RESULTS", description = "results.json of a run")
    private Path results = Path.of("docs/benchmarks/results.json");

    @Mixin private OutFolder out = new OutFolder();

    @Override
    public Integer call() throws IOException {
      Results read = Results.read(results);
      out.pathFor(read.setting().wasTooShort() ? Setting.TOO_SHORT : "");
      System.out.println("Report: " + new Page(read).write(out.path()));
      return 0;
    }
  }
}
