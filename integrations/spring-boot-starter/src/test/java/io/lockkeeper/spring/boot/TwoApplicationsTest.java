package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.JavaCommand;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spring.Locked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications in processes of their own, with nothing configured but where their store is. */
@Tag("newest")
@Tag("full")
class TwoApplicationsTest {

  private static final int TIMES = 50;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final String REDIS =
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration,"
          + "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration";
  private static final String DATA_SOURCE =
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,"
          + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

  @TempDir private Path folder;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() {
    processes.forEach(process -> process.destroyForcibly().onExit().join());
  }

  /** What the applications do together: a number in a file, which they read and write again. */
  static class Till {

    @Locked("till")
    public void count(Path file) {
      try {
        Files.writeString(file, String.valueOf(Integer.parseInt(Files.readString(file)) + 1));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {

    @Bean
    Till till() {
      return new Till();
    }

    /** Takes the file with the number, and the application's properties. */
    public static void main(String[] args) {
      Path file = Path.of(args[0]);
      try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args)) {
        System.out.println("started");
        int unused = System.in.read(); // until the others have started too
        Till till = context.getBean(Till.class);
        for (int i = 0; i < TIMES; i++) {
          till.count(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (RuntimeException e) { // what is logged is not seen in tests
        System.out.println(root(e));
        System.exit(1);
      }
    }

    private static Throwable root(Throwable failure) {
      return failure.getCause() == null ? failure : root(failure.getCause());
    }
  }

  private Path start(Path file, String... properties) throws IOException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    List<String> command =
        JavaCommand.small(
            Shop.class,
            file.toString(),
            "--spring.main.banner-mode=off",
            "--spring.main.web-application-type=none",
            "--spring.liquibase.enabled=false"); // it is there for other tests, and has no changes
    command.addAll(List.of(properties));
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start());
    return output;
  }

  /** Leaves out what Boot configures because the class path of the tests has its driver. */
  private static String without(String... configurations) {
    return "--spring.autoconfigure.exclude=" + String.join(",", configurations);
  }

  private static void awaitStart(Process process, Path output) {
    await()
        .atMost(LIMIT)
        .until(() -> !process.isAlive() || Files.readString(output).contains("started"));
    assertThat(output).content().contains("started");
  }

  private void letGo() throws IOException {
    for (Process process : processes) {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }
  }

  private static int end(Process process) throws InterruptedException {
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("it ends").isTrue();
    return process.exitValue();
  }

  @Test
  void theyCountTogether() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      countTogether(without(DATA_SOURCE), "--spring.data.redis.url=" + server.url());
    }
  }

  @Test
  void theyCountTogetherOnPostgresql() throws Exception {
    assumeTrue(
        System.getenv("CI") != null || PostgresServer.binaries().preferred().isPresent(),
        PostgresServer.binaries()::whyNone);
    try (PostgresServer server = PostgresServer.start()) {
      countTogether(
          without(REDIS),
          "--spring.datasource.url=" + server.jdbcUrl(),
          "--spring.datasource.type=org.springframework.jdbc.datasource.SimpleDriverDataSource");
    }
  }

  private void countTogether(String... properties) throws Exception {
    Path file = Files.writeString(folder.resolve("number"), "0");
    Path one = start(file, properties);
    Path other = start(file, properties);
    awaitStart(processes.get(0), one);
    awaitStart(processes.get(1), other);
    letGo();

    assertThat(end(processes.get(0))).as(Files.readString(one)).isZero();
    assertThat(end(processes.get(1))).as(Files.readString(other)).isZero();
    assertThat(file).content().isEqualTo(String.valueOf(2 * TIMES));
  }

  /** As long as a lease that somebody may have had at a server that has just been started. */
  @Test
  @Tag("slow")
  void oneThatStartsWithoutItsStoreWaitsForIt() throws Exception {
    Path file = Files.writeString(folder.resolve("number"), "0");
    try (RedisServer server = RedisServer.start()) {
      server.kill();
      Path output =
          start(
              file,
              without(DATA_SOURCE),
              "--spring.data.redis.url=" + server.url(),
              "--lockkeeper.connect=background",
              "--lockkeeper.store-timeout=1m");
      awaitStart(processes.get(0), output);
      letGo();
      assertThat(file).content().isEqualTo("0");

      server.restart(RedisServer.Data.KEPT);

      assertThat(end(processes.get(0))).as(Files.readString(output)).isZero();
    }
    assertThat(file).content().isEqualTo(String.valueOf(TIMES));
  }

  @Test
  void withoutAStoreItSaysWhatIsMissing() throws Exception {
    Path output = start(folder.resolve("number"), without(REDIS, DATA_SOURCE));

    assertThat(end(processes.get(0))).isNotZero();
    assertThat(output).content().contains(StartException.class.getName());
  }
}
