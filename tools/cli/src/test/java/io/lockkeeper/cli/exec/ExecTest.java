package io.lockkeeper.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.cli.exec.Cli.Run;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Delays;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code lockkeeper exec} as its own process, beside a client in this one. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class ExecTest {

  /** Says that it runs, says so when it gets a signal to end, and ends a little later. */
  private static final String SLOW_TO_END =
      "trap 'sleep 0.3; echo asked; exit 5' TERM INT HUP; echo runs; while :; do sleep 0.05; done";

  @TempDir private static Path shared;
  private static String url;
  private static Lockkeeper keeper;

  @TempDir private Path folder;
  private final String name = "job " + UUID.randomUUID();
  private Cli cli;

  @BeforeAll
  static void start() {
    long patience = Delays.limit(10_000).toMillis(); // a cold process on a busy machine
    url = "jdbc:sqlite:" + shared.resolve("locks.db") + "?lockkeeper.timeout=" + patience + "ms";
    keeper = Lockkeeper.connect(url);
  }

  @AfterAll
  static void stop() {
    keeper.close();
  }

  @BeforeEach
  void open() {
    cli = new Cli(folder, Map.of("LOCKKEEPER_URL", url));
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private ResourceReport report() {
    return keeper.admin().inspect(ResourceKind.LOCK, name);
  }

  @Test
  void theCommandHasInputOutputNameAndTokenAndItsStatusIsPassedOn() throws Exception {
    long before;
    try (Lease lease = keeper.lock(name).acquire()) {
      before = lease.token();
    }
    Run run =
        cli.exec(
            name,
            "--",
            "sh",
            "-c",
            "read a; echo \"$a|$LOCKKEEPER_NAME|$LOCKKEEPER_TOKEN\";" + " echo oops >&2; exit 7");
    try (OutputStream in = run.process().getOutputStream()) {
      in.write("hello\n".getBytes(StandardCharsets.UTF_8));
    }

    assertThat(run.status()).isEqualTo(7);
    assertThat(run.err()).isEqualTo("oops\n");
    String[] said = run.out().strip().split("\\|", -1);
    assertThat(said[0]).isEqualTo("hello");
    assertThat(said[1]).isEqualTo(name);
    assertThat(Long.parseLong(said[2])).isGreaterThan(before);
    assertThat(report().isIdle()).as("released before the end").isTrue();
  }

  @Test
  void theCommandRunsWhileTheLockIsHeldAndOthersWaitOrGiveUp() throws Exception {
    Run first = cli.exec(name, "--", "sh", "-c", "echo runs; read a; echo ends");
    first.awaitOut("runs");
    assertThat(report().holders().get(0).client().name()).isEqualTo("sh");
    Run second = cli.exec(name, "--", "echo", "@second", "--wait", "0");
    Run third = cli.exec("--wait", "0", name, "--", "echo", "third");
    Run fourth =
        cli.exec(
            "-v", "--wait", "100ms", "--conflict-exit-code", "9", name, "--", "echo", "fourth");

    assertThat(third.status()).as(third::err).isEqualTo(ExecStatus.CONFLICT);
    assertThat(third.err()).isEmpty();
    assertThat(fourth.status()).as(fourth::err).isEqualTo(9);
    assertThat(fourth.err()).contains("not free in time");
    Cli.eventually().until(() -> report().waiters().size() == 1);
    assertThat(second.out()).isEmpty();
    first.process().getOutputStream().close();
    assertThat(second.status()).isZero();
    assertThat(second.out()).as("its arguments as they were").isEqualTo("@second --wait 0\n");
    assertThat(third.out() + fourth.out()).isEmpty();
  }

  @Test
  void aCommandThatASignalEndedIsToldAsTheShellDoes() throws Exception {
    Run run = cli.exec(name, "--", "sh", "-c", "kill -9 $$");

    assertThat(run.status()).isEqualTo(128 + 9);
    assertThat(report().isIdle()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"TERM,15", "INT,2", "HUP,1"})
  void aSignalIsPassedOnAndTheLockIsHeldUntilTheCommandHasEnded(String signal, int number)
      throws Exception {
    Assumptions.assumeFalse(
        isIgnored(number),
        "the build was started with SIG" + signal + " ignored, by nohup perhaps");
    Run run = cli.exec(name, "--", "sh", "-c", SLOW_TO_END);
    run.awaitOut("runs");

    Cli.signal(signal, run.process());
    run.awaitOut("asked");

    assertThat(run.status()).isEqualTo(5);
    assertThat(report().isIdle()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"USR1", "USR2", "ALRM"})
  void aSignalThatACommandHandlesIsPassedOnAndEndsNothing(String signal) throws Exception {
    Run run =
        cli.exec(
            name,
            "--",
            "sh",
            "-c",
            "trap 'echo got it' %s; trap 'exit 5' TERM; echo runs; while :; do sleep 0.1; done"
                .formatted(signal));
    run.awaitOut("runs");

    Cli.signal(signal, run.process());
    run.awaitOut("got it");
    assertThat(report().holders()).hasSize(1);
    Cli.signal("TERM", run.process());

    assertThat(run.status()).isEqualTo(5);
    assertThat(report().isIdle()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"USR1", "USR2", "ALRM"})
  void aSignalThatACommandDoesNotHandleEndsItAndFreesTheLock(String signal) throws Exception {
    Run run = cli.exec(name, "--", "sh", "-c", "echo runs; exec sleep 600");
    run.awaitOut("runs");

    Cli.signal(signal, run.process());

    assertThat(run.status()).isGreaterThan(128);
    assertThat(run.process().descendants()).isEmpty();
    assertThat(report().isIdle()).isTrue();
  }

  @Test
  void aQuitSignalWritesNothingIntoTheCommandsOutput() throws Exception {
    Run run =
        cli.exec(
            name, "--", "sh", "-c", "echo runs; trap 'exit 5' TERM; while :; do sleep 0.1; done");
    run.awaitOut("runs");

    Cli.signal("QUIT", run.process());
    Cli.signal("QUIT", run.process());
    Cli.signal("TERM", run.process());

    assertThat(run.status()).isEqualTo(5);
    assertThat(run.out()).isEqualTo("runs\n");
    assertThat(run.err()).doesNotContain("Full thread dump");
  }

  @Test
  void theCommandDoesNotSeeWhichSignalTheJvmUses() throws Exception {
    Run run = cli.exec(name, "--", "sh", "-c", "env");

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("LOCKKEEPER_NAME").doesNotContain("_JAVA_SR_SIGNUM");
  }

  /** Returns whether this process ignores a signal, as then all that it starts do. */
  private static boolean isIgnored(int signal) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("SigIgn:"))
          .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
          .anyMatch(mask -> (mask >> (signal - 1) & 1) == 1);
    }
  }

  @Test
  void aSignalEndsTheWaitAndLeavesNoPlaceInTheQueue() throws Exception {
    DistributedLock lock = keeper.lock(name);
    lock.lock();
    try {
      Run run = cli.exec(name, "--", "echo", "never");
      Cli.eventually().until(() -> report().waiters().size() == 1);

      Cli.signal("TERM", run.process());

      assertThat(run.status()).isEqualTo(128 + 15);
      assertThat(run.out()).isEmpty();
      assertThat(report().waiters()).isEmpty();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void aCommandThatHasLostItsLockIsToldToEnd() throws Exception {
    Run run = cli.exec("--lease", "5s", name, "--", "sh", "-c", SLOW_TO_END);
    run.awaitOut("runs");

    assertThat(keeper.lock(name).forceUnlock()).isTrue();

    assertThat(run.status()).isEqualTo(ExecStatus.LOST);
    assertThat(run.out()).contains("asked");
    assertThat(run.err()).containsOnlyOnce(name).contains("lost: ", "gets SIGTERM");
  }

  @Test
  void aCommandThatDoesNotEndWhenItHasLostItsLockIsKilledWithAllItHasStarted() throws Exception {
    Run run =
        cli.exec(
            "--lease",
            "5s",
            "--grace",
            "200ms",
            name,
            "--",
            "sh",
            "-c",
            "trap '' TERM; echo runs; sleep 1000; :");
    run.awaitOut("runs");
    var all = run.process().descendants().toList();

    assertThat(keeper.lock(name).forceUnlock()).isTrue();

    assertThat(run.status()).isEqualTo(ExecStatus.LOST);
    Cli.eventually().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void aCommandMayGoOnWithoutItsLock() throws Exception {
    Run run =
        cli.exec(
            "--lease",
            "5s",
            "--on-lost",
            "ignore",
            name,
            "--",
            "sh",
            "-c",
            "echo runs; read a; exit 3");
    run.awaitOut("runs");

    assertThat(keeper.lock(name).forceUnlock()).isTrue();
    Cli.eventually().until(() -> run.err().contains("goes on without it"));
    run.process().getOutputStream().close();

    assertThat(run.status()).isEqualTo(3);
  }

  @Test
  void readersAndPermitsShareAndWritersDoNot() throws Exception {
    Run reader = cli.exec("--shared", name, "--", "sh", "-c", "echo runs; read a");
    Run permit = cli.exec("--permits", "2/3", name, "--", "sh", "-c", "echo runs; read a");
    reader.awaitOut("runs");
    permit.awaitOut("runs");
    Run second = cli.exec("--shared", "--wait", "0", name, "--", "true");
    Run writer = cli.exec("--exclusive", "--wait", "0", name, "--", "true");

    assertThat(second.status()).isZero();
    assertThat(writer.status()).isEqualTo(ExecStatus.CONFLICT);
    Run one = cli.exec("--permits", "1/3", "--wait", "0", name, "--", "true");
    Run two = cli.exec("--permits", "2/3", "--wait", "0", name, "--", "true");
    assertThat(one.status()).isZero();
    assertThat(two.status()).isEqualTo(ExecStatus.CONFLICT);
    reader.process().getOutputStream().close();
    permit.process().getOutputStream().close();
    assertThat(reader.status()).isEqualTo(1); // what read says at the end of its input
    assertThat(permit.status()).isEqualTo(1);
  }

  @Test
  void aStoreOutOfReachIsToldByAStatusOfItsOwn() throws Exception {
    Run run = cli.exec("--store", "redis://:s3cret@127.0.0.1:1", name, "--", "echo", "never");

    assertThat(run.status()).isEqualTo(ExecStatus.STORE);
    assertThat(run.err()).contains("127.0.0.1:1").doesNotContain("s3cret", "Exception");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void withoutAHomeItIsSaidWhatToDo() throws Exception {
    cli.close();
    cli = new Cli(folder, Map.of("LOCKKEEPER_URL", "", "HOME", "/no/such/home"));

    Run run = cli.exec(name, "--", "echo", "never");

    assertThat(run.status()).isEqualTo(ExecStatus.STORE);
    assertThat(run.err()).contains("/no/such/home", "--store");
  }

  @Test
  void theCommandDoesNotGetThePasswordOfTheStore() throws Exception {
    try (RedisServer server = RedisServer.builder().password("s3cret").start();
        Cli other = new Cli(folder, Map.of("LOCKKEEPER_URL", server.url()))) {
      Run run = other.exec(name, "--", "sh", "-c", "echo $LOCKKEEPER_URL; env");

      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).startsWith("redis://***@127.0.0.1:").doesNotContain("s3cret");
    }
  }

  @Test
  void theUrlOfTheStoreCanStandInAFile() throws Exception {
    try (RedisServer server = RedisServer.builder().password("s3cret").start();
        Lockkeeper beside = Lockkeeper.connect(server.url())) {
      Path file = Files.writeString(folder.resolve("url"), server.url() + " \r\n# tests\n");
      Run run = cli.exec("--store-file", file.toString(), name, "--", "sh", "-c", "echo in; cat");
      run.awaitOut("in");

      assertThat(beside.lock(name).isLocked()).isTrue();
      assertThat(run.process().info().commandLine().orElse("")).doesNotContain("s3cret");
      run.process().getOutputStream().close();
      assertThat(run.status()).as(run.err()).isZero();
    }
  }
}
