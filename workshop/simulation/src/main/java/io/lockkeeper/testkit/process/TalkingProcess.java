package io.lockkeeper.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own that says what it does, line by line, and goes on where it waits when a line on
 * its input says so. It can be killed and frozen, and ends when this is closed.
 */
public final class TalkingProcess implements AutoCloseable {

  /** A JVM may take so long until its first line, beside others that start too. */
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  private final Process process;
  private boolean hasSpoken; // used by the test's thread only
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private TalkingProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts one with the class path of this JVM.
   *
   * @param program has the {@code main} that it runs
   * @param environment what it has in its environment beside what this process has
   */
  public static TalkingProcess start(
      Class<?> program, Map<String, String> environment, String... arguments) throws IOException {
    ProcessBuilder builder = java(System.getProperty("java.class.path"), program, arguments);
    builder.environment().putAll(environment);
    return new TalkingProcess(builder.start());
  }

  /** Returns what starts a JVM for which optimizing would cost more than it saves. */
  public static ProcessBuilder java(String classPath, Class<?> program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  private void read() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      reader.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException ended) {
      lines.add("ended");
    }
  }

  /**
   * Waits for the next line that begins with this word, and returns the rest of it. The limit
   * counts from the first line of all.
   */
  public String await(String word, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + (hasSpoken ? limit : START_LIMIT).toNanos();
    while (true) {
      String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new AssertionError("process " + process.pid() + " did not say " + word);
      }
      if (!hasSpoken) {
        hasSpoken = true;
        deadline = System.nanoTime() + limit.toNanos();
      }
      if (line.startsWith(word)) {
        return line.substring(word.length()).trim();
      }
    }
  }

  /** Lets it go on. */
  public void goOn() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** Kills it (SIGKILL). */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Stops it without ending it (SIGSTOP). */
  public void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets it run after it was frozen (SIGCONT). */
  public void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() {
    kill();
  }

  // ------------------------------------------------------------- in the process itself

  /** Says a line. */
  public static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Waits to be told to go on. */
  public static void awaitWord() throws IOException {
    int unused = System.in.read();
  }
}
