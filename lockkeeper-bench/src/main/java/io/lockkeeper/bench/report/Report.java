package io.lockkeeper.bench.report;

import io.lockkeeper.bench.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The report of a run: a Markdown page and the plots that it shows. */
public final class Report {

  private final Results results;

  /** Creates the report of {@code results}. */
  public Report(Results results) {
    this.results = results;
  }

  /** Writes the page and the folder of plots into {@code folder}. */
  public void write(Path folder) throws IOException {
    String name = results.setting().site().page();
    Path plotFolder = folder.resolve(name);
    Files.createDirectories(plotFolder);
    Map<String, String> plots = new Plots(results).draw();
    for (Map.Entry<String, String> plot : plots.entrySet()) {
      Files.writeString(plotFolder.resolve(plot.getKey()), plot.getValue());
    }
    Files.writeString(folder.resolve(name + ".md"), new Page(results, plots.keySet()).text());
  }
}
