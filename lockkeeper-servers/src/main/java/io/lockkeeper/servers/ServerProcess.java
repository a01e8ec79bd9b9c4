package io.lockkeeper.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A server running as a child process in its own folder; killed with this JVM at the latest. */
final class ServerProcess {

  private static final String CONSOLE = "console.log";
  private static final int TAIL_CHARS = 4_000;
  private static final long STOP_SECONDS = 10;

  private static final Set<ServerProcess> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Thread hook = new Thread(ServerProcess::killAll, "lockkeeper-servers-shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private final Process process;
  private final Path folder;

  private ServerProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
  }

  /**
   * Writes a program file. Not while a child is being forked: the child shares the files that this
   * process has open, and a file that is open for writing cannot be run.
   */
  static synchronized void writeProgram(Path file, byte[] content) throws IOException {
    Files.write(file, content);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " executable");
    }
  }

  /** Starts a program with {@code folder} as its working directory. */
  static synchronized ServerProcess start(List<String> command, Path folder) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve(CONSOLE).toFile()))
              .start();
      process.getOutputStream().close();
      ServerProcess started = new ServerProcess(process, folder);
      RUNNING.add(started);
      return started;
    } catch (IOException e) {
      throw new ServerStartException("could not start " + command.get(0), e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the process to end, and returns whether it did. */
  boolean awaitEnd(Duration limit) {
    try {
      return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerStartException("interrupted", e);
    }
  }

  /** Ends the process at once (SIGKILL) and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    RUNNING.remove(this);
    boolean interrupted = false;
    while (true) {
      try {
        process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends the signal of this name, such as {@code STOP}. */
  void signal(String name) {
    if (!process.isAlive()) {
      throw new IllegalStateException("process " + pid() + " is not running");
    }
    try {
      String command = "kill -" + name + " " + pid();
      Process kill = new ProcessBuilder("sh", "-c", command).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException(command + " failed");
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot send signals here", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Returns the end of what the process wrote. */
  String outputTail() {
    try {
      String text = Files.readString(folder.resolve(CONSOLE), StandardCharsets.UTF_8);
      return text.substring(Math.max(0, text.length() - TAIL_CHARS));
    } catch (IOException e) {
      return "(no output: " + e + ")";
    }
  }

  private static void killAll() {
    for (ServerProcess server : RUNNING) {
      server.kill();
      TempFolder.delete(server.folder);
    }
  }
}
