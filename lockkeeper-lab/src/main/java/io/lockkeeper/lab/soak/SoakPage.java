package io.lockkeeper.lab.soak;

import io.lockkeeper.lab.report.Machine;
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

  private final SoakPlan plan;
  private final String commandLine;
  private final String server;
  private final Path folder;

  SoakPage(SoakPlan plan, String commandLine, String server, Path folder) {
    this.plan = plan;
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
    Files.writeString(folder.resolve("soak.md"), text(samples));
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
    StringBuilder page = new StringBuilder();
    add(page, "# Soak");
    add(page, "");
    add(
        page,
        "Does anything grow when clients use a store for long? This page and its plot are made by the");
    add(page, "run itself; do not edit them. To make them anew:");
    add(page, "");
    add(page, "    %s", commandLine);
    add(page, "");
    add(
        page,
        "Two clients in one JVM share %,d names: locks, fair locks, read-write locks,",
        plan.names());
    add(
        page,
        "semaphores, barriers, counters, shared values and latches, an eighth each. %d threads use",
        plan.threads());
    add(
        page,
        "them at %,.0f uses a second in all; a quarter of the uses meet at 16 of the names, so that",
        plan.perSecond());
    add(
        page,
        "threads and clients wait for each other. Each thread also keeps up to 10 leases for long,");
    add(
        page,
        "which are renewed. With every sample a further client comes, uses 24 resources and goes.");
    add(
        page,
        "After the load all clients are closed, and the server is looked at for %d seconds more.",
        plan.rest().toSeconds());
    add(page, "Every choice follows from the seed %d.", plan.seed());
    add(page, "");
    add(page, "| setting |  |");
    add(page, "|---|--:|");
    add(page, "| machine | %s |", Machine.here().inALine());
    add(
        page,
        "| JDK | %s, at most %,.0f MiB of heap |",
        Machine.jdk(),
        Runtime.getRuntime().maxMemory() / BYTES_PER_MIB);
    add(page, "| server | %s on loopback, nothing written to disk |", server);
    add(
        page,
        "| versions | lettuce %s, lockkeeper %s, netty %s |",
        version("lettuce"),
        version("lockkeeper"),
        version("netty"));
    add(
        page,
        "| last sample under load | after %.1f of %.1f minutes, %d samples |",
        loaded.get(loaded.size() - 1).minutes(),
        plan.load().toSeconds() / 60.0,
        loaded.size());
    add(
        page,
        "| uses | %,d, of which %,d waited 0.5 s in vain, as they should, and %,d failed |",
        last.uses(),
        last.timeouts(),
        last.errors());
    add(
        page,
        "| processor time | client %.1f %% of one processor, server %.1f %% |",
        100 * last.cpuSeconds() / last.seconds(),
        100 * last.serverCpuSeconds() / last.seconds());
    add(page, "");
    add(page, "![what client and server keep](soak/soak.svg)");
    add(page, "");
    trends(page, loaded);
    end(page, last);
    return page.toString();
  }

  private static String version(String product) {
    return Machine.here().versions().getOrDefault(product, "?");
  }

  private static void trends(StringBuilder page, List<Sample> loaded) {
    if (loaded.size() < 4) {
      return;
    }
    add(
        page,
        "| under load | median of the second quarter | of the last quarter | most after the first |");
    add(page, "|---|--:|--:|--:|");
    trend(
        page,
        loaded,
        "client: heap after a full collection, MiB",
        1 / BYTES_PER_MIB,
        Sample::heapBytes);
    trend(page, loaded, "client: live objects of Lockkeeper's classes", 1, Sample::objects);
    trend(page, loaded, "client: resident memory, MiB", 1 / BYTES_PER_MIB, Sample::residentBytes);
    trend(page, loaded, "client: threads", 1, Sample::threads);
    trend(page, loaded, "client: open files", 1, Sample::files);
    trend(page, loaded, "client: of these sockets", 1, Sample::sockets);
    trend(page, loaded, "client: longest use since the last sample, ms", 1, Sample::slowestMillis);
    trend(page, loaded, "server: used memory, MiB", 1 / BYTES_PER_MIB, Sample::serverBytes);
    trend(page, loaded, "server: keys", 1, Sample::serverKeys);
    trend(page, loaded, "server: keys without a time to live", 1, Sample::serverKeysThatStay);
    trend(page, loaded, "server: connections", 1, Sample::serverClients);
    trend(page, loaded, "server: channels", 1, Sample::serverChannels);
    add(page, "");
  }

  private static void trend(
      StringBuilder page,
      List<Sample> loaded,
      String what,
      double unit,
      ToDoubleFunction<Sample> figure) {
    Trend trend = Trend.of(values(loaded, figure));
    String format = unit < 1 ? "%,.2f" : "%,.0f";
    add(
        page,
        "| %s | " + format + " | " + format + " | " + format + " |",
        what,
        trend.early() * unit,
        trend.late() * unit,
        trend.most() * unit);
  }

  private static void end(StringBuilder page, Sample last) {
    if (last.closed()) {
      add(
          page,
          "At the end, all clients closed: %.2f MiB of heap, %,d objects, %d threads, %d open files in",
          last.heapBytes() / BYTES_PER_MIB,
          last.objects(),
          last.threads(),
          last.files());
      add(
          page,
          "the client's process; %,d keys at the server, %,d of them without a time to live: the",
          last.serverKeys(),
          last.serverKeysThatStay());
      add(page, "counters and shared values that were not deleted, and the namespace's epoch.");
      add(page, "");
    }
    add(page, "All samples are in [soak.csv](soak/soak.csv).");
  }

  private static void add(StringBuilder page, String format, Object... args) {
    page.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
