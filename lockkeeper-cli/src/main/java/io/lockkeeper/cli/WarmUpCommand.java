package io.lockkeeper.cli;

import io.lockkeeper.cli.console.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * What the launcher runs once after a build, so that the JVM can write down which classes a start
 * needs; not for people. It does what {@code exec} and {@code list} do, on a file of its own, and
 * knocks at a Redis that is not there.
 */
@Command(name = "warm-up", hidden = true)
final class WarmUpCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    try {
      Path folder = Files.createTempDirectory("lockkeeper-warm-up-");
      String file = "jdbc:sqlite:" + folder.resolve("locks.db");
      run("exec", "--store", "redis://127.0.0.1:1", "warm-up", "--", "true");
      run("exec", "--store", file, "--verbose", "warm-up", "--", "true");
      run("list", "--store", file);
      for (String end : List.of("", "-wal", "-shm", "-journal")) {
        Files.deleteIfExists(folder.resolve("locks.db" + end));
      }
      Files.deleteIfExists(folder);
      return ExitStatus.OK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(String... arguments) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Main.commandLine().setOut(nowhere).setErr(nowhere).execute(arguments);
  }
}
