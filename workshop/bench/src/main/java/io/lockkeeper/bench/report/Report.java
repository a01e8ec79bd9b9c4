package io.lockkeeper.bench.report;

import io.lockkeeper.bench.results.Results;
import io.lockkeeper.bench.results.Setting;
import io.lockkeeper.lab.report.ResultsPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The report of a run: a part of a Markdown page. */
public final class Report {

  private final Results results;

  /** Creates the report of {@code results}. */
  public Report(Results results) {
    this.results = results;
  }

  /** Writes the results into their page in {@code folder}. */
  public void write(Path folder) throws IOException {
    Setting setting = results.setting();
    Files.createDirectories(folder);
    ResultsPart.write(
        folder.resolve(setting.site().page() + ".md"),
        "Benchmarks on " + setting.site().label(),
        new Page(results).text());
  }
}
