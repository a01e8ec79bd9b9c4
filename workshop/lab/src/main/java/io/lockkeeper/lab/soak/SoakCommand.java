package io.lockkeeper.lab.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
  private static final Duration REST = Duration.ofMinutes(3);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

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
      names = "--out",
      paramLabel = "FOLDER",
      description = "gets soak.md and a folder of that name (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("workshop/lab/target");

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Duration time = Duration.ofMillis(Math.round(minutes * MILLIS_PER_MINUTE));
    List<Map<String, Double>> samples =
        new Soak(time, REST, INTERVAL, names, rate).run(commandLine(), out);
    System.out.println("Report: " + out.resolve("soak.md"));
    return samples.get(samples.size() - 1).getOrDefault("errors", 0.0) == 0 ? 0 : 1;
  }

  private String commandLine() {
    List<String> args =
        spec == null
            ? List.of("soak")
            : spec.commandLine().getParent().getParseResult().originalArgs();
    return "./lockkeeper " + String.join(" ", args);
  }
}
