package io.lockkeeper.cli.doctor;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.Json;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.cli.console.Version;
import io.lockkeeper.cli.store.StoreOptions;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.Finding.Verdict;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockkeeper doctor}: examines a store. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Checks a store: which promises hold there, and what to do about those that do not.",
      "",
      "It reads the store's settings and tries every operation under a name of its own. It changes"
          + " nothing else and leaves nothing behind."
    },
    footer = {
      "",
      "Exit status: 0 no check failed; 1 a check failed; 2 wrong command line; 3 it could not run."
    })
public final class DoctorCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--json", description = "Write JSON instead of a table.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    List<Finding> findings = new Examination(store).run();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(findings.stream().map(DoctorCommand::map).toList()));
    } else {
      print(out, findings);
    }
    out.flush();
    return has(findings, Verdict.FAIL) ? ExitStatus.FAILED : ExitStatus.OK;
  }

  private void print(PrintWriter out, List<Finding> findings) {
    out.println(StoreOptions.printable(store.url()));
    out.println();
    Table table = new Table("", "CHECK", "FOUND");
    findings.forEach(each -> table.row(verdict(each), each.subject(), each.found()));
    table.lines().forEach(out::println);
    List<Finding> advised = findings.stream().filter(each -> !each.advice().isEmpty()).toList();
    if (!advised.isEmpty()) {
      out.println();
      out.println("What to do:");
      advised.forEach(each -> out.println("  " + each.subject() + ": " + each.advice() + "."));
    }
    out.println();
    out.println(summary(findings));
  }

  private static String summary(List<Finding> findings) {
    if (has(findings, Verdict.FAIL)) {
      return "Not all that is promised holds at this store.";
    }
    return has(findings, Verdict.WARN)
        ? "All that is promised holds, as long as what is warned of does not happen."
        : "All is well.";
  }

  private static boolean has(List<Finding> findings, Verdict verdict) {
    return findings.stream().anyMatch(finding -> finding.verdict() == verdict);
  }

  private static String verdict(Finding finding) {
    return finding.verdict().name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, String> map(Finding finding) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("verdict", verdict(finding));
    map.put("check", finding.subject());
    map.put("found", finding.found());
    map.put("advice", finding.advice());
    return map;
  }
}
