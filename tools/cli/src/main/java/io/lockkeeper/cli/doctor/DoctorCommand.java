package io.lockkeeper.cli.doctor;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.OutputOptions;
import io.lockkeeper.cli.console.Table;
import io.lockkeeper.cli.console.UserCommand;
import io.lockkeeper.cli.store.StoreOptions;
import io.lockkeeper.console.Findings;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lockkeeper doctor}: examines a store. */
@Command(
    name = "doctor",
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
public final class DoctorCommand extends UserCommand {

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws InterruptedException {
    List<Finding> findings = new Examination(store, this::printlnAside).run();
    output.print(findings, Findings::map, this::lines, "");
    return has(findings, Verdict.FAIL) ? ExitStatus.FAILED : ExitStatus.OK;
  }

  private List<String> lines(List<Finding> findings) {
    Table table = new Table("", "CHECK", "FOUND");
    findings.forEach(each -> table.row(Findings.verdict(each), each.subject(), each.found()));
    List<String> lines = new ArrayList<>(List.of(Secrets.hide(store.url()), ""));
    lines.addAll(table.lines());
    List<Finding> advised = findings.stream().filter(each -> !each.advice().isEmpty()).toList();
    if (!advised.isEmpty()) {
      lines.addAll(List.of("", "What to do:"));
      advised.forEach(each -> lines.add("  " + each.subject() + ": " + each.advice() + "."));
    }
    lines.addAll(List.of("", summary(findings)));
    return lines;
  }

  private static String summary(List<Finding> findings) {
    if (has(findings, Verdict.FAIL)) {
      return "Some promises do not hold at this store.";
    }
    return has(findings, Verdict.WARN)
        ? "All promises hold, except in the cases of the warnings."
        : "All is well.";
  }

  private static boolean has(List<Finding> findings, Verdict verdict) {
    return findings.stream().anyMatch(finding -> finding.verdict() == verdict);
  }
}
