package io.lockkeeper.lab.soak;

import io.lockkeeper.lab.report.Machine;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.ResultsPart;
import io.lockkeeper.lab.report.SettingList;
import io.lockkeeper.lab.report.TimePanels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The page of a soak, with its plot and its table of samples. */
final class SoakPage {

  private static final double BYTES_PER_MIB = 1 << 20;
  private static final String CLIENT = "#0072b2";
  private static final String SERVER = "#d55e00";

  private final String commandLine;
  private final String server;
  private final Path folder;

  SoakPage(String commandLine, String server, Path folder) {
    this.commandLine = commandLine;
    this.server = server;
    this.folder = folder;
  }

  void write(List<Sample> samples) throws IOException {
    Path own = folder.resolve("soak");
    Files.createDirectories(own);
    List<String> lines = new ArrayList<>(List.of(Sample.header()));
    samples.forEach(sample -> lines.add(sample.line()));
    Files.write(own.resolve("soak.csv"), lines);
    Files.writeString(own.resolve("soak.svg"), plot(samples));
    ResultsPart.write(folder.resolve("soak.md"), "Soak", text(samples));
  }

  private static String plot(List<Sample> samples) {
    TimePanels panels =
        new TimePanels(
            "Soak: what client and server keep",
            "minutes",
            samples.stream().map(Sample::minutes).toList());
    panels.add("client: heap after collection, MiB", CLIENT, mib(samples, Sample::heapBytes));
    panels.add("client: live objects", CLIENT, values(samples, Sample::objects));
    panels.add("client: resident memory, MiB", CLIENT, mib(samples, Sample::residentBytes));
    panels.add("client: threads", CLIENT, values(samples, Sample::threads));
    panels.add("client: open files", CLIENT, values(samples, Sample::files));
    panels.add("server: used memory, MiB", SERVER, mib(samples, Sample::serverBytes));
    panels.add("server: keys", SERVER, values(samples, Sample::serverKeys));
    panels.add("server: connections", SERVER, values(samples, Sample::serverClients));
    return panels.draw();
  }

  private static List<Double> values(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return samples.stream().map(figure::applyAsDouble).toList();
  }

  private static List<Double> mib(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return samples.stream().map(s -> figure.applyAsDouble(s) / BYTES_PER_MIB).toList();
  }

  private String text(List<Sample> samples) {
    List<Sample> loaded = samples.stream().filter(sample -> !sample.closed()).toList();
    Sample last = samples.get(samples.size() - 1);
    return "    %s\n\n%s\n![what client and server keep](soak/soak.svg)\n%s%s"
        .formatted(commandLine, setting(last), trends(loaded), end(last));
  }

  private SettingList setting(Sample last) {
    SettingList list = new SettingList();
    list.add("machine", Machine.here().inALine());
    list.add(
        "JDK",
        format(
            "%s, at most %,.0f MiB of heap",
            Machine.jdk(), Runtime.getRuntime().maxMemory() / BYTES_PER_MIB));
    list.add("server", server + " on loopback, nothing written to disk");
    list.add(
        "versions",
        format(
            "lettuce %s, lockkeeper %s, netty %s",
            version("lettuce"), version("lockkeeper"), version("netty")));
    list.add(
        "uses",
        format(
            "%,d, of which %,d waited 0.5 s in vain, as they should, and %,d failed",
            last.uses(), last.timeouts(), last.errors()));
    list.add(
        "processor time",
        format(
            "client %.1f %% of one processor, server %.1f %%",
            100 * last.cpuSeconds() / last.seconds(),
            100 * last.serverCpuSeconds() / last.seconds()));
    return list;
  }

  private static String version(String product) {
    return Machine.here().versions().getOrDefault(product, "?");
  }

  private static String trends(List<Sample> loaded) {
    if (loaded.size() < 4) {
      return "";
    }
    MarkdownTable table =
        new MarkdownTable("under load", "second quarter", "last quarter", "most after the first");
    trend(table, "heap after collection, MiB", mib(loaded, Sample::heapBytes), "%,.2f");
    trend(table, "live objects", values(loaded, Sample::objects), "%,.0f");
    trend(table, "resident memory, MiB", mib(loaded, Sample::residentBytes), "%,.2f");
    trend(table, "threads", values(loaded, Sample::threads), "%,.0f");
    trend(table, "open files", values(loaded, Sample::files), "%,.0f");
    trend(table, "longest use, ms", values(loaded, Sample::slowestMillis), "%,.0f");
    trend(table, "server: used memory, MiB", mib(loaded, Sample::serverBytes), "%,.2f");
    trend(table, "server: keys", values(loaded, Sample::serverKeys), "%,.0f");
    trend(
        table,
        "server: keys without a time to live",
        values(loaded, Sample::serverKeysThatStay),
        "%,.0f");
    trend(table, "server: connections", values(loaded, Sample::serverClients), "%,.0f");
    return "\n" + table;
  }

  private static void trend(
      MarkdownTable table, String what, List<Double> figures, String pattern) {
    Trend trend = Trend.of(figures);
    table.row(
        what,
        format(pattern, trend.early()),
        format(pattern, trend.late()),
        format(pattern, trend.most()));
  }

  private static String end(Sample last) {
    return last.closed()
        ? format(
            "\n"
                + "At the end, all clients closed: %.2f MiB of heap, %,d objects, %d threads, %d"
                + " open files; %,d keys at the server, %,d of them without a time to live.\n",
            last.heapBytes() / BYTES_PER_MIB,
            last.objects(),
            last.threads(),
            last.files(),
            last.serverKeys(),
            last.serverKeysThatStay())
        : "";
  }

  private static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }
}
