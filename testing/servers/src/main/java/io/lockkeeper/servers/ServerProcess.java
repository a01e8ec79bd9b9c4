package io.lockkeeper.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
  static ServerProcess start(List<String> command, Path folder) {
    return start(command, folder, null, Map.of());
  }

  /** As above, with a file as its input. */
  static ServerProcess start(List<String> command, Path folder, @Nullable Path input) {
    return start(command, folder, input, Map.of());
  }

  /** As above, with more in its environment than this process has. */
  static synchronized ServerProcess start(
      List<String> command, Path folder, @Nullable Path input, Map<String, String> environment) {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectInput(
                  input == null
                      ? ProcessBuilder.Redirect.PIPE
                      : ProcessBuilder.Redirect.from(input.toFile()))
              .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve(CONSOLE).toFile()));
      builder.environment().putAll(environment);
      Process process = builder.start();
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

  /** Returns the exit status of the ended process. */
  int exitStatus() {
    return process.exitValue();
  }

  /** Ends the process and its children at once (SIGKILL) and waits until they are gone. */
  void kill() {
    boolean interrupted = Thread.interrupted();
    // Else it could start a child after these were looked up, even its first one, which would stay.
    sendSignal("STOP", Stream.of(process.toHandle()));
    awaitThat(() -> hasStopped(process.toHandle()));
    List<ProcessHandle> children = process.descendants().toList();
    // The parent first: seeing a child die, it would only start another.
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    RUNNING.remove(this);
    while (true) {
      try {
        process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    awaitEndOf(children);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether none of its threads goes on: on a busy machine that comes after the signal. */
  private static boolean hasStopped(ProcessHandle process) {
    try (Stream<Path> threads = Files.list(folderOf(process).resolve("task"))) {
      return threads.allMatch(thread -> "RSD".indexOf(state(thread)) < 0);
    } catch (IOException | UncheckedIOException unknown) {
      return true; // it has ended, or this is no Linux
    }
  }

  private static Path folderOf(ProcessHandle process) {
    return Path.of("/proc", Long.toString(process.pid()));
  }

  /** Returns the letter that Linux has for what a process or thread does, or a blank. */
  private static char state(Path folder) {
    try {
      String text = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
      return text.charAt(text.lastIndexOf(')') + 2); // "PID (NAME) STATE ..."
    } catch (IOException | IndexOutOfBoundsException unknown) {
      return ' '; // it has ended, or this is no Linux
    }
  }

  /** Looks by itself: the JDK would look for the end of a grandchild in ever longer intervals. */
  private static void awaitEndOf(List<ProcessHandle> killed) {
    awaitThat(() -> killed.stream().noneMatch(ServerProcess::runs));
  }

  private static void awaitThat(BooleanSupplier isSo) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    while (!isSo.getAsBoolean() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /**
   * Returns whether a process does more than wait for somebody to collect its end. One that has no
   * program any more may still have memory that it shared.
   */
  private static boolean runs(ProcessHandle process) {
    char state = state(folderOf(process));
    boolean isOver = state == ' ' ? process.info().command().isEmpty() : "ZX".indexOf(state) >= 0;
    return process.isAlive() && !isOver;
  }

  /**
   * Sends the signal of this name, such as {@code CONT}, to the process and its children. The
   * process comes first, so that a stopped one starts no more children meanwhile.
   */
  void signal(String name) {
    if (!process.isAlive()) {
      throw new IllegalStateException("process " + pid() + " is not running");
    }
    signalIfAlive(name);
  }

  /** Stops the process and its children (SIGSTOP), and waits until they have stopped. */
  void freeze() {
    signal("STOP");
    awaitThat(
        () ->
            Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .allMatch(ServerProcess::hasStopped));
  }

  /** As {@link #signal}; does nothing to those that have ended. */
  void signalIfAlive(String name) {
    sendSignal(name, Stream.of(process.toHandle()));
    sendSignal(name, process.descendants());
  }

  private static void sendSignal(String name, Stream<ProcessHandle> receivers) {
    String pids = receivers.map(it -> " " + it.pid()).collect(Collectors.joining());
    if (pids.isEmpty()) {
      return;
    }
    try {
      // What has ended meanwhile is fine.
      String command = "kill -" + name + pids + " 2>/dev/null || true";
      new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor();
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

  /** Returns whether the process wrote that another program has its port. */
  boolean saidThatPortIsTaken() {
    return outputTail().toLowerCase(Locale.ROOT).contains("address already in use");
  }

  private static void killAll() {
    for (ServerProcess server : RUNNING) {
      server.kill();
      TempFolder.delete(server.folder);
    }
  }
}
