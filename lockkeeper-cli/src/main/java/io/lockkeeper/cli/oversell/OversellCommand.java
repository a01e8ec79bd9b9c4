package io.lockkeeper.cli.oversell;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Secrets;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.cli.oversell.contest.Contest;
import io.lockkeeper.cli.oversell.contest.Plan;
import io.lockkeeper.cli.oversell.contest.VariantResult;
import io.lockkeeper.cli.oversell.report.ContestReport;
import io.lockkeeper.cli.oversell.report.HtmlReport;
import io.lockkeeper.cli.oversell.report.JsonReport;
import io.lockkeeper.cli.oversell.report.Machine;
import io.lockkeeper.cli.oversell.report.TextReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockkeeper oversell}: the contest, with its reports. */
@Command(
    name = "oversell",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Sells one stock from many threads of several processes, guarded by nothing and by locks of"
          + " several kinds, and shows side by side how fast each is and what it oversells.",
      "",
      "An order reads the stock over the network, checks that some is left, records the order and"
          + " writes the stock less one."
    },
    footer = {
      "",
      "Exit status: 0 all is well; 1 a locked variant lost or oversold an order, or fairLock broke"
          + " the order of arrival; 2 wrong command line; 3 it could not run."
    })
public final class OversellCommand implements Callable<Integer> {

  /** The property in which the launcher says whether standard error is a terminal. */
  private static final String TERMINAL = "lockkeeper.terminal";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private OversellOptions options = new OversellOptions();

  @Override
  public Integer call() throws InterruptedException {
    Plan plan = options.plan();
    if (options.html != null) {
      HtmlReport.check();
    }
    Instant started = Clock.systemUTC().instant();
    try (Venue venue = Venue.open(options.store)) {
      String server = venue.shop().server();
      ContestReport empty = report(plan, venue, server, started, List.of());
      println(out(), TextReport.header(empty));
      ContestReport report = report(plan, venue, server, started, run(plan, venue));
      TextReport.lines(report).forEach(line -> println(out(), line));
      write(options.json, "figures", () -> JsonReport.write(report));
      write(options.html, "report", () -> HtmlReport.write(report));
      boolean good = report.results().stream().allMatch(row -> row.problems().isEmpty());
      return good ? ExitStatus.OK : ExitStatus.FAILED;
    }
  }

  private List<VariantResult> run(Plan plan, Venue venue) throws InterruptedException {
    try (ConsoleProgress progress = new ConsoleProgress(err(), isTerminal());
        Contest contest =
            new Contest(plan, venue.url(), venue.shop(), WorkerCommandLine.get(), progress);
        Interruption interruption = new Interruption(contest, venue)) {
      return interruption.silently(contest::run);
    }
  }

  private ContestReport report(
      Plan plan, Venue venue, String server, Instant started, List<VariantResult> results) {
    return new ContestReport(
        commandLine(),
        started,
        server,
        venue.printableUrl(),
        venue.isEmbedded(),
        Machine.here(),
        plan,
        results);
  }

  private String commandLine() {
    List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
    return Secrets.hide(spec.root().name() + " " + String.join(" ", arguments));
  }

  private void write(@Nullable Path file, String what, Callable<String> content) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, content.call());
      println(out(), what + ": " + file);
    } catch (IOException e) {
      throw new CannotRunException("cannot write " + file + ": " + e.getMessage(), e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isTerminal() {
    return Boolean.getBoolean(TERMINAL);
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  private static void println(PrintWriter to, String line) {
    to.println(line);
    to.flush();
  }
}
