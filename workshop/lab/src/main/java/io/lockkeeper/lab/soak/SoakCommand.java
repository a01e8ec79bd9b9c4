package io.lockkeeper.lab.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Uses one Redis server for long, and watches whether anything grows. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Uses a Redis server for long, at a small rate, and watches whether anything grows.")
public final class SoakCommand implements Callable<Integer> {

  private static final double MILLIS_PER_MINUTE = 60_000;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "length of the load (default: ${DEFAULT-VALUE})")
  private double minutes = 60;

  @Option(
      names = "--names",
      paramLabel = "N",
      description = "resources that are used (default: ${DEFAULT-VALUE})")
  private int names = 10_000;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "uses per second, of all threads together (default: ${DEFAULT-VALUE})")
  private double rate = 200;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that use them (default: ${DEFAULT-VALUE})")
  private int threads = 8;

  @Option(
      names = "--sample",
      paramLabel = "S",
      description = "seconds between samples (default: ${DEFAULT-VALUE})")
  private int sampleSeconds = 60;

  @Option(
      names = "--rest",
      paramLabel = "S",
      description = "seconds without clients at the end (default: ${DEFAULT-VALUE})")
  private int restSeconds = 180;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "of every choice (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "gets soak.md and a folder of that name (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("workshop/lab/target");

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    SoakPlan plan =
        new SoakPlan(
            Duration.ofMillis(Math.round(minutes * MILLIS_PER_MINUTE)),
            Duration.ofSeconds(restSeconds),
            Duration.ofSeconds(sampleSeconds),
            names,
            rate,
            threads,
            seed);
    List<Sample> samples = new Soak(plan, commandLine()).run(out);
    System.out.println("Report: " + out.resolve("soak.md"));
    return samples.get(samples.size() - 1).errors() == 0 ? 0 : 1;
  }

  private String commandLine() {
    List<String> args =
        spec == null
            ? List.of("soak")
            : spec.commandLine().getParent().getParseResult().originalArgs();
    return "./lockkeeper " + String.join(" ", args);
  }
}
