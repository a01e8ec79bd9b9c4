package io.lockkeeper.lab.oversell;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.oversell.report.ContestReport;
import io.lockkeeper.lab.oversell.report.HtmlReport;
import io.lockkeeper.lab.oversell.report.JsonReport;
import io.lockkeeper.lab.oversell.report.StoreReport;
import io.lockkeeper.lab.oversell.report.TextReport;
import io.lockkeeper.lab.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
          + " several kinds, or left to the store's own means, and shows side by side how fast each is and what it oversells.",
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
    options.check(spec.commandLine());
    Instant started = Clock.systemUTC().instant();
    ContestReport report = report(started, options.all ? runAll(started) : runOne(started));
    TextReport.lines(report).forEach(line -> println(out(), line));
    write(options.json, "figures", () -> JsonReport.write(report));
    write(options.html, "report", () -> HtmlReport.write(report));
    if (!report.stores().stream().allMatch(StoreReport::isGood)) {
      return ExitStatus.FAILED;
    }
    boolean broken = report.stores().stream().anyMatch(StoreReport::failed);
    return broken ? ExitStatus.CANNOT_RUN : ExitStatus.OK;
  }

  private List<StoreReport> runOne(Instant started) throws InterruptedException {
    Consumer<StoreReport> header =
        store -> println(out(), TextReport.header(report(started, List.of(store))));
    Optional<EmbeddedStore> embedded = options.embedded();
    return List.of(
        embedded.isPresent()
            ? contest().in(embedded.get(), header)
            : contest().in(options.store(), header));
  }

  private List<StoreReport> runAll(Instant started) throws InterruptedException {
    println(out(), TextReport.header(report(started, List.of())));
    List<StoreReport> reports = new ArrayList<>();
    for (EmbeddedStore store : EmbeddedStore.ofAll()) {
      StoreReport report =
          contest().ifPossible(store, here -> println(err(), here.describe() + ":"));
      if (!report.absence().isEmpty()) {
        println(err(), report.name() + " " + report.absence());
      }
      reports.add(report);
    }
    return reports;
  }

  private StoreContest contest() {
    return new StoreContest(options::plan, err(), isTerminal());
  }

  private ContestReport report(Instant started, List<StoreReport> stores) {
    return new ContestReport(commandLine(), started, Machine.here(), options.load(), stores);
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
