package io.lockkeeper.servers;

import io.lockkeeper.servers.net.PrivateNetwork;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a {@link ZooKeeperServer}, or of all in a {@link ZooKeeperEnsemble}. Each method
 * returns this builder.
 */
public final class ZooKeeperServerBuilder {

  /**
   * The limits that count in ticks, given in time: so short ticks make sessions short and no more.
   */
  private static final Duration INIT_LIMIT = Duration.ofSeconds(20);

  private static final Duration SYNC_LIMIT = Duration.ofSeconds(2);

  private Duration tickTime = Duration.ofMillis(50);
  private boolean durable;
  private boolean ownNetwork;
  private final Map<String, String> options = new LinkedHashMap<>();
  private final List<String> jvmOptions = new ArrayList<>();

  ZooKeeperServerBuilder() {}

  /**
   * Sets ZooKeeper's unit of time. A session lasts for 2 to 20 ticks, as its client asks, unless
   * options say otherwise, and ends up to one tick late. Default: 50 ms, with sessions of up to one
   * minute.
   */
  public ZooKeeperServerBuilder tickTime(Duration tickTime) {
    if (tickTime.toMillis() < 1) {
      throw new IllegalArgumentException("less than a millisecond: " + tickTime);
    }
    this.tickTime = tickTime;
    return this;
  }

  /**
   * Waits for the disk at every change. Otherwise changes outlive the server's process, but not the
   * machine.
   */
  public ZooKeeperServerBuilder durable() {
    this.durable = true;
    return this;
  }

  /**
   * Runs an ensemble's servers on hosts of their own, so that {@link ZooKeeperEnsemble#isolate} can
   * cut the links between them; {@link PrivateNetwork#obstacle} says where that is not possible. A
   * server that is alone takes no notice.
   */
  public ZooKeeperServerBuilder ownNetwork() {
    this.ownNetwork = true;
    return this;
  }

  /** Sets a line of the configuration file, such as {@code maxSessionTimeout}. */
  public ZooKeeperServerBuilder option(String name, String value) {
    options.put(name, value);
    return this;
  }

  /** Adds an option of the server's JVM, such as {@code -Dznode.container.checkIntervalMs=100}. */
  public ZooKeeperServerBuilder jvmOption(String option) {
    jvmOptions.add(option);
    return this;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @throws ServerStartException if it does not; the message has the end of the server's log
   */
  public ZooKeeperServer start() {
    return Ports.start(() -> new ZooKeeperServer(this, ServerSite.here(), "", 0));
  }

  /**
   * Starts three servers that are one store, and waits until all of them serve.
   *
   * @throws ServerStartException if they do not
   * @throws IllegalStateException if they are to have hosts of their own and cannot
   */
  public ZooKeeperEnsemble startEnsemble() {
    return ServerEnsemble.start(ownNetwork, network -> new ZooKeeperEnsemble(this, network));
  }

  List<String> commandLine() {
    List<String> command = JavaCommand.server();
    command.add("-Dzookeeper.admin.enableServer=false");
    command.add("-Dzookeeper.jmx.log4j.disable=true");
    command.add("-Dzookeeper.preAllocSize=1024"); // else each log begins as a file of 64 MB
    command.add("-Dzookeeper.forceSync=" + (durable ? "yes" : "no"));
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(classPath());
    command.add(ZooKeeperProcess.class.getName());
    command.add(ZooKeeperServer.CONFIG_FILE);
    return command;
  }

  /** Returns this JVM's, for one with another working directory. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Writes the configuration file; {@code members} are the lines that name an ensemble's. */
  void writeConfig(Path folder, ServerSite site, String members) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("tickTime", String.valueOf(tickTime.toMillis()));
    lines.put("initLimit", ticks(INIT_LIMIT));
    lines.put("syncLimit", ticks(SYNC_LIMIT));
    lines.put("maxSessionTimeout", "60000");
    lines.put("dataDir", folder.resolve(ZooKeeperServer.DATA_FOLDER).toString());
    lines.put("clientPort", String.valueOf(site.port()));
    lines.put("clientPortAddress", site.address());
    lines.put("maxClientCnxns", "0");
    lines.put("4lw.commands.whitelist", "*");
    lines.putAll(options);
    String text =
        lines.entrySet().stream()
            .map(line -> line.getKey() + "=" + line.getValue() + "\n")
            .collect(Collectors.joining());
    try {
      Files.writeString(folder.resolve(ZooKeeperServer.CONFIG_FILE), text + members);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String ticks(Duration duration) {
    return String.valueOf(Math.max(2, duration.toMillis() / tickTime.toMillis()));
  }
}
