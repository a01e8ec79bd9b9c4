package io.lockkeeper.cli.exec;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.cli.console.WaitTime;
import io.lockkeeper.cli.console.WholeNumber;
import io.lockkeeper.cli.exec.Wanted.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code lockkeeper exec}. */
final class ExecOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "NAME", description = "The lock's name.")
  private String name = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The command with its arguments, after --.")
  List<String> command = new ArrayList<>();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = WaitTime.class,
      description = {
        "How long to wait for the lock, as in 500ms, 3s, 1.5m, 2h; 0 only tries.",
        "Default: as long as it takes."
      })
  private @Nullable Duration wait;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      converter = Lease.class,
      description = {
        "How long the others wait if this machine crashes; renewed until then.",
        "From 50ms to 24h. Default: 30s."
      })
  @Nullable Duration lease;

  @Option(
      names = "--fair",
      description = "Strictly first come, first served, also between threads of other programs.")
  private boolean fair;

  @Option(
      names = "--shared",
      description =
          "Read: hold it together with others that read. Goes with --exclusive, and is another"
              + " lock than NAME without either.")
  private boolean shared;

  @Option(names = "--exclusive", description = "Write: keep out those with --shared, and others.")
  private boolean exclusive;

  @Option(
      names = "--permits",
      paramLabel = "N/M",
      converter = Permits.Converter.class,
      description = "Hold N permits of a semaphore of M: 1/3 lets three commands run at a time.")
  private @Nullable Permits permits;

  @Option(
      names = "--on-lost",
      paramLabel = "ACTION",
      defaultValue = "term",
      description = {
        "What becomes of the command if the lock is lost: term, kill or ignore.",
        "Default: ${DEFAULT-VALUE}."
      })
  OnLost onLost = OnLost.TERM;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      converter = WaitTime.class,
      defaultValue = "10s",
      description = "With term: how long until it is killed. Default: ${DEFAULT-VALUE}.")
  Duration grace = Duration.ofSeconds(10);

  @Option(
      names = "--conflict-exit-code",
      paramLabel = "N",
      converter = Status.class,
      defaultValue = "" + ExecStatus.CONFLICT,
      description = "The status if the lock was not free in time. Default: ${DEFAULT-VALUE}.")
  int conflictStatus = ExecStatus.CONFLICT;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say what happens.")
  boolean verbose;

  /** Returns what is to be held. */
  Wanted wanted() {
    long ways = Stream.of(fair, shared, exclusive, permits != null).filter(way -> way).count();
    if (ways > 1) {
      throw new ParameterException(
          spec.commandLine(), "Only one of --fair, --shared, --exclusive and --permits goes.");
    }
    return new Wanted(name, way(), permits, wait);
  }

  private Way way() {
    if (permits != null) {
      return Way.PERMITS;
    } else if (shared) {
      return Way.READ;
    } else if (exclusive) {
      return Way.WRITE;
    }
    return fair ? Way.FAIR : Way.LOCK;
  }

  static final class Status extends WholeNumber {
    Status() {
      super(0, 255);
    }
  }

  static final class Lease implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      Duration lease = new WaitTime().convert(text);
      try {
        AcquireOptions.defaults().withFixedLease(lease);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("must be from 50ms to 24h, was '" + text + "'");
      }
      return lease;
    }
  }
}
