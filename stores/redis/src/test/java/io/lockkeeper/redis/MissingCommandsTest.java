package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Delays;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that lack a command, and accounts that may not use one. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class MissingCommandsTest {

  private static final Pattern CALL = Pattern.compile("(?:call|Paged|])\\('([A-Z]+)'");

  /** What the store needs beside what its scripts call. */
  private static final Set<String> OUTSIDE_OF_SCRIPTS =
      Set.of("EVALSHA", "SCRIPT", "SUBSCRIBE", "PUBLISH");

  /** What nothing works without. The others are for cases that may not come up here. */
  private static final List<String> ALWAYS_NEEDED =
      List.of("TIME", "HMGET", "HSET", "PEXPIRE", "ZADD", "EVALSHA", "PUBLISH", "SUBSCRIBE");

  static List<RedisBinary> binaries() {
    return Binaries.allAndValkey();
  }

  static Set<String> commands() {
    Set<String> commands = new TreeSet<>(OUTSIDE_OF_SCRIPTS);
    for (Script script : Script.ALL) {
      Matcher call = CALL.matcher(new String(script.text(), StandardCharsets.UTF_8));
      while (call.find()) {
        commands.add(call.group(1));
      }
    }
    assertThat(commands).contains("TIME", "HMGET", "ZADD", "HINCRBY");
    return commands;
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void anAccountThatMayNotUseOneIsDeniedByItsName(RedisBinary binary) {
    RedisServer server = SharedServers.running(binary);
    for (String command : commands()) {
      String name = command.toLowerCase(Locale.ROOT);
      server.command("ACL", "SETUSER", "a", "on", ">pw", "~*", "&*", "+@all", "-" + name);
      List<Throwable> failures =
          failures("redis://a:pw@127.0.0.1:" + server.port(), "without-" + name);
      assertRefused(command, failures, StoreProblem.DENIED);
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void anAccountThatMayNotUseAKeyOrAChannelIsDenied(RedisBinary binary) {
    RedisServer server = SharedServers.running(binary);
    server.command("ACL", "SETUSER", "k", "on", ">pw", "~keys:{*", "&*", "+@all");
    List<Throwable> failures = failures("redis://k:pw@127.0.0.1:" + server.port(), "keys");

    assertThat(failures).isNotEmpty().allSatisfy(MissingCommandsTest::assertDenied);

    server.command("ACL", "SETUSER", "c", "on", ">pw", "~*", "resetchannels", "&other*", "+@all");
    assertThat(failures("redis://c:pw@127.0.0.1:" + server.port(), "channels"))
        .isNotEmpty()
        .allSatisfy(MissingCommandsTest::assertDenied);
  }

  private static void assertDenied(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            StoreRefusedException.class,
            refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED));
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aServerThatHasItNotSaysItsName(RedisBinary binary) {
    for (String command : ALWAYS_NEEDED) {
      try (RedisServer server =
          RedisServer.builder()
              .binary(binary)
              .young()
              .option("rename-command", command, "\"\"")
              .start()) {
        assertRefused(
            command, failures("redis://127.0.0.1:" + server.port(), "test"), StoreProblem.OTHER);
      }
    }
  }

  @Test
  void aServerThatCannotWaitForReplicasSaysSo() {
    try (RedisServer server =
        RedisServer.builder().young().option("rename-command", "WAIT", "\"\"").start()) {
      assertThat(catchThrowable(() -> Lockkeeper.connect(server.url() + "?replicas=1").close()))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("WAIT");
    }
  }

  @Test
  void withoutPushNothingNeedsToBePublished() throws Exception {
    try (RedisServer server =
            RedisServer.builder().young().option("rename-command", "PUBLISH", "\"\"").start();
        Lockkeeper keeper = Lockkeeper.connect(server.url() + "?push=off&afterLoss=grant")) {
      keeper.lock("a").acquire().release();
    }
  }

  /** The error repeats the arguments of a command that is not there. */
  @Test
  void thePasswordIsNotRepeatedWhereTheServerRefusesTheLogin() {
    try (RedisServer server =
        RedisServer.builder().young().option("rename-command", "HELLO", "\"\"").start()) {
      Throwable failure =
          catchThrowable(
              () -> Lockkeeper.connect("redis://app:s3cret@127.0.0.1:" + server.port()).close());

      assertThat(failure).isInstanceOf(StoreRefusedException.class).hasMessageContaining("HELLO");
      for (Throwable each = failure; each != null; each = each.getCause()) {
        assertThat(each).hasMessageNotContaining("s3cret");
      }
    }
  }

  private static void assertRefused(
      String command, List<Throwable> failures, StoreProblem problem) {
    if (ALWAYS_NEEDED.contains(command)) {
      assertThat(failures).as("without " + command).isNotEmpty();
    }
    for (Throwable failure : failures) {
      assertThat(failure)
          .as("without " + command)
          .isInstanceOfSatisfying(
              StoreRefusedException.class,
              refused -> assertThat(refused.problem()).isEqualTo(problem))
          .satisfies(
              told -> assertThat(told.getMessage().toUpperCase(Locale.ROOT)).contains(command));
    }
  }

  /** Uses a bit of everything, and returns what went wrong. */
  private static List<Throwable> failures(String url, String namespace) {
    List<Throwable> failures = new ArrayList<>();
    try (Lockkeeper keeper =
        Lockkeeper.builder()
            .namespace(namespace)
            .storeTimeout(Delays.millis(1_000))
            .connect(url + "?afterLoss=grant")) {
      DistributedSemaphore semaphore = keeper.semaphore("s", 2);
      List<ThrowingCallable> uses =
          List.of(
              () -> keeper.lock("a").acquire().release(),
              () -> keeper.fairLock("a").tryRun(Duration.ofMillis(1), () -> {}),
              () -> keeper.lock("a").forceUnlock(),
              () -> keeper.lock("r", LockOptions.defaults()).isLocked(),
              () -> keeper.readWriteLock("rw").readLock().acquire().release(),
              () -> keeper.readWriteLock("rw").writeLock().acquire().release(),
              () -> semaphore.acquire(2).release(),
              () -> semaphore.setPermits(3),
              () -> semaphore.resetPermits(),
              () -> keeper.counter("c").incrementAndGet(),
              () -> keeper.counter("c").get(),
              () -> keeper.sharedValue("v").set(new byte[] {1}),
              () -> {
                keeper.countDownLatch("l").trySetCount(1);
                keeper.countDownLatch("l").countDown();
              },
              keeper.admin()::inspect);
      for (ThrowingCallable use : uses) {
        Throwable failure = catchThrowable(use);
        if (failure != null) {
          failures.add(failure);
        }
      }
    } catch (RuntimeException failure) {
      failures.add(failure);
    }
    return failures;
  }
}
