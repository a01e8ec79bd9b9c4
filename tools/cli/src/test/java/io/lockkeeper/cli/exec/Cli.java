package io.lockkeeper.cli.exec;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Starts {@code lockkeeper exec} as processes of their own, and ends what is left of them. */
final class Cli implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  /** A process and what it says. */
  record Run(Process process, Path outFile, Path errFile) {

    int status() throws InterruptedException {
      assertThat(process.waitFor(PATIENCE_SECONDS, SECONDS)).as("ends").isTrue();
      return process.exitValue();
    }

    String out() {
      return read(outFile);
    }

    String err() {
      return read(errFile);
    }

    /** Waits until the command has said something. */
    void awaitOut(String text) {
      eventually().until(() -> out().contains(text) || !process.isAlive());
      assertThat(out()).as(err()).contains(text);
    }

    private static String read(Path file) {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final Path folder;
  private final Map<String, String> environment;
  private final List<Process> started = new ArrayList<>();

  Cli(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = environment;
  }

  /** Starts {@code exec} with these arguments. */
  Run exec(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(java());
    command.addAll(1, forSignals("quiet='(.*)'"));
    command.add("exec");
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out-" + started.size());
    Path err = folder.resolve("err-" + started.size());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS"); // announced on standard error
    builder.environment().put("_JAVA_SR_SIGNUM", forSignals("_JAVA_SR_SIGNUM:-(\\d+)").get(0));
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    return new Run(process, out, err);
  }

  /** Returns what the start script of the distribution sets for the sake of signals. */
  private static List<String> forSignals(String pattern) throws IOException {
    Matcher found =
        Pattern.compile(pattern).matcher(Files.readString(Path.of("src/main/dist/bin/lockkeeper")));
    assertThat(found.find()).as("the start script sets %s", pattern).isTrue();
    return List.of(found.group(1).split(" "));
  }

  /** Returns the beginning of a command line of {@code lockkeeper}. */
  static List<String> java() {
    return JavaCommand.small(
        "-cp", System.getProperty("java.class.path"), "io.lockkeeper.cli.Main");
  }

  /** Sends a signal to a process, not to its children. */
  static void signal(String name, Process process) throws Exception {
    Process kill =
        new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " " + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  static ConditionFactory eventually() {
    return Awaitility.await().atMost(PATIENCE_SECONDS, SECONDS);
  }

  @Override
  public void close() {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
