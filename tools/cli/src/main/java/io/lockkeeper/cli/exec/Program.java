package io.lockkeeper.cli.exec;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds programs as the system does, so that a typing error is reported before a lock is acquired.
 */
final class Program {

  private static final String DEFAULT_PATH = "/bin:/usr/bin";

  /** A command cannot be run. */
  static final class NotRunnableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    final int status;

    NotRunnableException(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  private Program() {}

  /**
   * Checks that there is such a program.
   *
   * @param path the variable {@code PATH}
   * @throws NotRunnableException if there is none, or it is nothing that can be run
   */
  static void check(String command, @Nullable String path) {
    boolean found = false;
    if (command.contains(File.separator)) {
      Path file = Path.of(command);
      found = Files.exists(file);
      if (isRunnable(file)) {
        return;
      }
    } else if (!command.isEmpty()) {
      for (String folder : (path == null ? DEFAULT_PATH : path).split(File.pathSeparator, -1)) {
        Path file = Path.of(folder, command);
        if (isRunnable(file)) {
          return;
        }
        found |= Files.isRegularFile(file);
      }
    }
    throw found
        ? new NotRunnableException(
            ExecStatus.CANNOT_EXECUTE, "'" + command + "' is not a program that may be run")
        : new NotRunnableException(ExecStatus.NOT_FOUND, "there is no command '" + command + "'");
  }

  private static boolean isRunnable(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
