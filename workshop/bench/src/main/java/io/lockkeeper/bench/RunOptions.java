package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Site;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of all contests. */
final class RunOptions {

  private static final double MILLIS_PER_SECOND = 1e3;

  @Option(
      names = "--at",
      paramLabel = "SERVER",
      description = "${COMPLETION-CANDIDATES}: where (default: ${DEFAULT-VALUE})")
  private Site site = Site.REDIS;

  @Option(
      names = "--jvm",
      split = " ",
      paramLabel = "OPTION",
      description = "JVM options of the workers (default: -Xms512m -Xmx1g)")
  private List<String> jvmOptions = List.of("-Xms512m", "-Xmx1g");

  Site site() {
    return site;
  }

  List<String> jvmOptions() {
    return jvmOptions;
  }

  static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * MILLIS_PER_SECOND));
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / MILLIS_PER_SECOND;
  }
}
