package io.lockkeeper.lab.oversell;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a long contest when somebody ends it or a part of it. */
@Tag("full")
class BreakingOffTest {

  private static final long PATIENCE_SECONDS = 60;
  private static final int WORKERS = 2;

  @TempDir private Path folder;

  private final List<ProcessHandle> started = new ArrayList<>();

  private Process startLongContest(String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + folder); // a killed coordinator cannot tidy up
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("io.lockkeeper.lab.Main", "oversell", "--variant", "setnx"));
    command.addAll(List.of("--threads", "4", "--orders", "100000", "--warm-up", "0"));
    command.addAll(List.of(more));
    Process contest =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output().toFile())
            .start();
    started.add(contest.toHandle());
    await().atMost(PATIENCE_SECONDS, SECONDS).until(() -> !contest.isAlive() || isSelling(contest));
    contest.descendants().forEach(started::add);
    return contest;
  }

  /** Both workers run and at least one has sold something: progress is shown after 5 seconds. */
  private boolean isSelling(Process contest) throws IOException {
    return workers(contest).size() == WORKERS && Files.readString(output()).contains(" of ");
  }

  /** Known by their program: of a long class path, the command line is not to be had. */
  private static List<ProcessHandle> workers(Process contest) {
    return contest
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("java"))
        .toList();
  }

  private Path output() {
    return folder.resolve("output.txt");
  }

  private static boolean ends(ProcessHandle process) {
    await().atMost(PATIENCE_SECONDS, SECONDS).until(() -> !process.isAlive());
    return true;
  }

  @AfterEach
  void killLeftovers() {
    started.forEach(ProcessHandle::destroyForcibly);
    assertThat(started).allMatch(BreakingOffTest::ends);
  }

  @Test
  void endingTheContestEndsWorkersAndServer() throws Exception {
    Process contest = startLongContest();
    List<ProcessHandle> children = contest.descendants().toList();
    assertThat(children).as("workers and server").hasSize(WORKERS + 1);

    contest.destroy(); // SIGTERM; Ctrl-C takes the same way

    assertThat(contest.waitFor(PATIENCE_SECONDS, SECONDS)).isTrue();
    assertThat(contest.exitValue()).isEqualTo(128 + 15);
    assertThat(children).allMatch(BreakingOffTest::ends);
    assertThat(Files.readString(output())).doesNotContain("lockkeeper:");
  }

  @Test
  void endingTheContestLeavesTheUsersStoreAsItWas() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Process contest = startLongContest("--store", server.url());

      contest.destroy();

      assertThat(contest.waitFor(PATIENCE_SECONDS, SECONDS)).isTrue();
      await()
          .atMost(PATIENCE_SECONDS, SECONDS)
          .untilAsserted(() -> assertThat(server.command("KEYS", "*stock")).isEqualTo(List.of()));
      assertThat(server.command("KEYS", "*orders")).isEqualTo(List.of());
    }
  }

  @Test
  void workersEndWithACoordinatorThatWasKilled() throws Exception {
    Process contest = startLongContest();
    List<ProcessHandle> workers = workers(contest);
    contest.destroyForcibly();

    assertThat(workers).hasSize(WORKERS).allMatch(BreakingOffTest::ends);
  }

  @Test
  void aKilledWorkerIsReported() throws Exception {
    Process contest = startLongContest();
    Stream<ProcessHandle> children = contest.descendants();
    List<ProcessHandle> all = children.toList();

    workers(contest).get(0).destroyForcibly();

    assertThat(contest.waitFor(PATIENCE_SECONDS, SECONDS)).isTrue();
    assertThat(contest.exitValue()).isEqualTo(ExitStatus.CANNOT_RUN);
    assertThat(Files.readString(output()))
        .contains("lockkeeper: setnx, worker ", "ended with status 137 before it was done");
    assertThat(all).allMatch(BreakingOffTest::ends);
  }

  @Test
  void aStoreThatDiesIsReported() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Process contest = startLongContest("--store", server.url());

      server.kill();

      assertThat(contest.waitFor(PATIENCE_SECONDS * 2, SECONDS)).isTrue();
      assertThat(contest.exitValue()).isEqualTo(ExitStatus.CANNOT_RUN);
      assertThat(new File(output().toString())).content().contains("lockkeeper: ");
    }
  }
}
