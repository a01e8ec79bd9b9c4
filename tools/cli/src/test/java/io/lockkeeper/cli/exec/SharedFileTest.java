package io.lockkeeper.cli.exec;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.cli.exec.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Several shells with no server at all: one SQLite file in one home. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("full")
class SharedFileTest {

  private static final long PATIENCE_SECONDS = 900;

  /** What is run under the lock: two lines that must stand side by side. */
  private static final String APPEND =
      "echo \"$LOCKKEEPER_TOKEN begins\" >>log; echo \"$LOCKKEEPER_TOKEN ends\" >>log";

  @TempDir private Path home;
  private final List<Process> shells = new ArrayList<>();

  @AfterEach
  void close() {
    shells.forEach(shell -> shell.descendants().forEach(ProcessHandle::destroyForcibly));
    shells.forEach(Process::destroyForcibly);
  }

  @Test
  void shellsTakeTurnsOnOneFile() throws Exception {
    takeTurns(4, 4);
  }

  @Test
  @Tag("slow")
  void tenShellsTakeAThousandTurnsOnOneFile() throws Exception {
    takeTurns(10, 100);
  }

  private void takeTurns(int count, int rounds) throws Exception {
    for (int i = 0; i < count; i++) {
      shells.add(shell(rounds, home.resolve("said-" + i)));
    }
    for (int i = 0; i < count; i++) {
      assertThat(shells.get(i).waitFor(PATIENCE_SECONDS, SECONDS)).isTrue();
      assertThat(Files.readString(home.resolve("said-" + i))).isEmpty();
      assertThat(shells.get(i).exitValue()).isZero();
    }
    List<String> lines = Files.readAllLines(home.resolve("log"));
    assertThat(lines).hasSize(2 * count * rounds);
    long last = 0;
    for (int i = 0; i < lines.size(); i += 2) {
      long token = Long.parseLong(lines.get(i).replace(" begins", ""));
      assertThat(token).isGreaterThan(last);
      assertThat(lines.get(i + 1)).isEqualTo(token + " ends");
      last = token;
    }
  }

  /** Starts a shell that runs {@code exec} again and again, and breaks off if it fails. */
  private Process shell(int rounds, Path said) throws IOException {
    String loop =
        "i=0; while [ $i -lt %d ]; do i=$((i+1)); \"$@\" || exit $?; done".formatted(rounds);
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", loop, "shell"));
    command.addAll(Cli.java());
    command.addAll(List.of("exec", "file", "--", "/bin/sh", "-c", APPEND));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().keySet().retainAll(List.of("PATH")); // as under cron
    builder.environment().put("HOME", home.toString());
    return builder.start();
  }

  /** The one that holds the lock is killed with its command, as when the machine dies. */
  @Test
  void aKilledOneDelaysTheNextByItsLeaseAtMost() throws Exception {
    try (Cli cli = new Cli(home, Map.of("LOCKKEEPER_URL", "", "HOME", home.toString()))) {
      Run killed = cli.exec("--lease", "2s", "file", "--", "sh", "-c", "echo runs; sleep 999; :");
      killed.awaitOut("runs");
      Run next = cli.exec("-v", "file", "--", "echo", "next");
      Cli.eventually().until(() -> next.err().contains("waiting for 'file', held by sh"));

      List<ProcessHandle> commands = killed.process().descendants().toList();
      killed.process().destroyForcibly().waitFor();
      commands.forEach(ProcessHandle::destroyForcibly);
      long start = System.nanoTime();

      assertThat(next.status()).isZero();
      assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(10_000_000_000L);
      assertThat(next.out()).isEqualTo("next\n");
    }
  }
}
