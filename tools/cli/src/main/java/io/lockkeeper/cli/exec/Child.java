package io.lockkeeper.cli.exec;

import io.lockkeeper.cli.exec.Program.NotRunnableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The command at work. It has this process's input, output and error. */
final class Child {

  private final Process process;

  private Child(Process process) {
    this.process = process;
  }

  /** Starts it with these variables besides those of this process. */
  static Child start(List<String> command, Map<String, String> variables) {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().remove(PosixSignal.INSTEAD_OF_USR2, PosixSignal.STKFLT);
    builder.environment().putAll(variables);
    try {
      return new Child(builder.start());
    } catch (IOException e) {
      throw new NotRunnableException(
          ExecStatus.CANNOT_EXECUTE, "cannot run " + command.get(0) + ": " + e.getMessage());
    }
  }

  /** Waits for its end; returns its status, which is 128 and more if a signal has ended it. */
  int await() throws InterruptedException {
    return process.waitFor();
  }

  /** Passes on a signal that this process has got, unless it has it from the terminal already. */
  void pass(PosixSignal signal) {
    if (process.isAlive() && !(signal == PosixSignal.INT && Foreground.isHere())) {
      signal.sendTo(process.toHandle());
    }
  }

  /**
   * Asks it to end, and everything that it has started; after a while ends what is left. Returns
   * when nothing is.
   */
  void end(Duration grace) {
    List<ProcessHandle> all = all(); // now: later they may have lost their parent
    all.forEach(ProcessHandle::destroy);
    CompletableFuture<?>[] ends =
        all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(ends)
        .completeOnTimeout(null, grace.toMillis(), TimeUnit.MILLISECONDS)
        .join();
    Stream.concat(all.stream(), all().stream()).forEach(ProcessHandle::destroyForcibly);
  }

  /** Ends it at once, and everything that it has started. */
  void kill() {
    all().forEach(ProcessHandle::destroyForcibly);
  }

  private List<ProcessHandle> all() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }
}
