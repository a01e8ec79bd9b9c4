package io.lockkeeper.lab.process;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.servers.JavaCommand;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A worker, as its coordinator sees it: a process that is talked to in lines. It is killed when
 * this JVM ends, even if it is frozen.
 */
public final class ChildProcess implements AutoCloseable {

  private static final long END_SECONDS = 60;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Thread end = new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end-of-workers");
    Runtime.getRuntime().addShutdownHook(end);
  }

  private final Process process;
  private final BufferedWriter in;

  private ChildProcess(Process process) {
    this.process = process;
    this.in = process.outputWriter(StandardCharsets.UTF_8);
    RUNNING.add(process);
    var unused = process.onExit().thenAccept(RUNNING::remove);
  }

  /**
   * Starts one.
   *
   * @param errors where its standard error goes
   * @throws CannotRunException if it cannot be started
   */
  public static ChildProcess start(List<String> command, Redirect errors) {
    try {
      return new ChildProcess(new ProcessBuilder(command).redirectError(errors).start());
    } catch (IOException e) {
      throw new CannotRunException("cannot start " + Path.of(command.get(0)), e);
    }
  }

  /**
   * Returns the command for a JVM with this one's class path, and with what makes this one fast.
   */
  public static List<String> java(List<String> options, String... program) {
    List<String> command = JavaCommand.of(options);
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.matches("-XX:SharedArchiveFile=.*|-Xshare:auto|-Xlog:.*"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path", ".")));
    command.addAll(List.of(program));
    return command;
  }

  /**
   * Has the lines of its standard output heard, by a thread of this name.
   *
   * @param onEnd is called at their end, with what {@code onLine} threw if that is why
   */
  public void listen(
      String thread, Consumer<String> onLine, Consumer<@Nullable RuntimeException> onEnd) {
    BufferedReader from = process.inputReader(StandardCharsets.UTF_8);
    Thread listener = new Thread(() -> onEnd.accept(read(from, onLine)), thread);
    listener.setDaemon(true);
    listener.start();
  }

  private static @Nullable RuntimeException read(BufferedReader from, Consumer<String> onLine) {
    try (from) {
      for (String line = from.readLine(); line != null; line = from.readLine()) {
        onLine.accept(line);
      }
    } catch (IOException e) {
      // killed, which is an end like any other
    } catch (RuntimeException e) {
      return e;
    }
    return null;
  }

  /** Writes a line to its standard input. If it is gone, that is noticed anyway. */
  public void say(String line) {
    try {
      in.write(line + "\n"); // at once, as several threads may say something
      in.flush();
    } catch (IOException e) {
      // the answers end too
    }
  }

  /** Stops it without ending it, or lets it go on. */
  public void freeze(boolean frozen) {
    try {
      new ProcessBuilder("kill", frozen ? "-STOP" : "-CONT", Long.toString(pid()))
          .redirectErrorStream(true)
          .redirectOutput(Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new CannotRunException("cannot send signals here", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public long pid() {
    return process.pid();
  }

  /**
   * Waits for its end.
   *
   * @return empty if it ended in good order, else what went wrong
   */
  public String awaitEnd() throws InterruptedException {
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      return "did not end within " + END_SECONDS + " s";
    }
    int status = process.exitValue();
    return status == 0 ? "" : "ended with status " + status;
  }

  /** Kills it (SIGKILL), and waits until it is gone. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
