package io.lockkeeper.bench;

import io.lockkeeper.bench.growth.GrowthCommand;
import io.lockkeeper.bench.report.Report;
import io.lockkeeper.bench.report.Targets;
import io.lockkeeper.bench.results.ResultFiles;
import io.lockkeeper.bench.results.Results;
import io.lockkeeper.bench.results.Setting;
import io.lockkeeper.bench.simulated.SimulateCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

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
      SimulateCommand.class,
      Bench.RenderCommand.class,
      Bench.JmhCommand.class
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
      description = "Makes the report of an earlier run from its results, and lists the targets.")
  static final class RenderCommand implements Callable<Integer> {

    @Parameters(paramLabel = "RESULTS", description = "results.json of a run")
    private Path results = Path.of("docs/benchmarks/results.json");

    @Mixin private OutFolder out = new OutFolder();

    @Override
    public Integer call() throws IOException {
      Results read = ResultFiles.read(results);
      Path folder = out.pathFor(read.setting().wasTooShort() ? Setting.TOO_SHORT : "");
      new Report(read).write(folder);
      Targets.of(read).forEach(target -> System.out.println(target.line()));
      return 0;
    }
  }

  /** Passes its arguments on to JMH. */
  @Command(
      name = "jmh",
      description = "Runs the benchmarks of what happens inside one process; takes JMH's options.")
  static final class JmhCommand implements Callable<Integer> {

    @Unmatched private String[] options = {};

    @Override
    public Integer call() throws IOException {
      org.openjdk.jmh.Main.main(options);
      return 0;
    }
  }
}
