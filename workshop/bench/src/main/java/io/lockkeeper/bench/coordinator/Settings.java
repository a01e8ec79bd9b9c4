package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.Bench;
import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.bench.results.Setting;
import io.lockkeeper.lab.report.Machine;
import java.time.Duration;
import java.util.List;

/** Where a run is made, and how the machine was before its first turn. */
public final class Settings {

  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private final String command;
  private final Site site;
  private final Progress progress;
  private final double loadBefore = Machine.loadAverage();

  /**
   * Creates one, at the beginning of a run.
   *
   * @param command the command line, for the record
   * @param site the kind of server; what only Redis can tell is left out elsewhere
   */
  public Settings(String command, Site site, Progress progress) {
    this.command = command;
    this.site = site;
    this.progress = progress;
  }

  Site site() {
    return site;
  }

  Progress progress() {
    return progress;
  }

  /** Returns the setting of a run that ends now. */
  Setting of(
      String server,
      List<String> jvmOptions,
      int rounds,
      Duration turn,
      Duration warmUp,
      Duration delay) {
    Machine machine = Machine.here(Bench.class);
    return new Setting(
        command,
        machine.inALine(),
        Machine.jdk(),
        site,
        server,
        machine.versions(),
        String.join(" ", jvmOptions),
        loadBefore,
        seconds(turn),
        rounds,
        seconds(warmUp),
        delay.toNanos() / NANOS_PER_MILLI,
        progress.elapsedSeconds());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / MILLIS_PER_SECOND;
  }
}
