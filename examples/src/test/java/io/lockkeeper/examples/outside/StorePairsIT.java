package io.lockkeeper.examples.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.DynamoDbServer;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.JavaCommand;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.testkit.tck.Delays;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each store, each pair of stores, and all of them in one application, with the class paths that
 * Maven resolves for a project with nothing but the BOM and their modules. {@code
 * .ci/outside-applications} writes each into a file named after its stores, such as {@code
 * redis_zookeeper.cp}.
 */
@EnabledIfSystemProperty(
    named = "lockkeeper.examples.classPaths",
    matches = ".+",
    disabledReason = ".ci/outside-applications resolves what is tested here")
class StorePairsIT {

  /** Libraries of many jars that only work together in one version. */
  private static final Pattern FAMILY =
      Pattern.compile(".*/io/(netty|grpc)/[^/]+/([0-9][^/]*)/[^/]+\\.jar");

  private static final long LIMIT_SECONDS = Delays.millis(120_000).toSeconds();

  @TempDir private Path folder;
  private final Map<String, String> urls = new TreeMap<>();
  private final List<AutoCloseable> servers = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable server : servers) {
      server.close();
    }
  }

  private String url(String store) {
    return urls.computeIfAbsent(
        store,
        name ->
            switch (name) {
              case "redis" -> started(RedisServer.start()).url() + "?afterLoss=grant";
              case "zookeeper" -> started(ZooKeeperServer.start()).url();
              case "etcd" -> started(EtcdServer.start()).url();
              case "dynamodb" -> started(DynamoDbServer.start()).url();
              case "jdbc" -> started(PostgresServer.start()).jdbcUrl();
              default -> throw new IllegalArgumentException(name);
            });
  }

  private <S extends AutoCloseable> S started(S server) {
    servers.add(server);
    return server;
  }

  private static List<Path> classPaths() throws IOException {
    try (Stream<Path> files =
        Files.list(Path.of(System.getProperty("lockkeeper.examples.classPaths")))) {
      return files.filter(file -> file.toString().endsWith(".cp")).sorted().toList();
    }
  }

  @Test
  void anApplicationMayHaveEachStoreAndEachPairAndAll() throws Exception {
    List<Path> files = classPaths();
    assertThat(files).hasSize(5 + 10 + 1);
    for (Path file : files) {
      String stores = file.getFileName().toString().replace(".cp", "");
      String classPath = Files.readString(file).strip();
      assertThat(versions(classPath))
          .as(stores)
          .allSatisfy((family, found) -> assertThat(found).hasSize(1));
      lockAtEach(stores, classPath);
    }
  }

  private static Map<String, Set<String>> versions(String classPath) {
    Map<String, Set<String>> versions = new TreeMap<>();
    for (String jar : classPath.split(File.pathSeparator, -1)) {
      Matcher matcher = FAMILY.matcher(jar);
      if (matcher.matches()) {
        versions.computeIfAbsent(matcher.group(1), f -> new TreeSet<>()).add(matcher.group(2));
      }
    }
    return versions;
  }

  private void lockAtEach(String stores, String classPath) throws Exception {
    String[] names = stores.split("_", -1);
    String own = Path.of("target", "test-classes").toAbsolutePath().toString();
    List<String> command =
        JavaCommand.small(
            "-Daws.accessKeyId=local",
            "-Daws.secretAccessKey=local",
            "-cp",
            own + File.pathSeparator + classPath,
            OneLockEach.class.getName());
    for (String name : names) {
      command.add(url(name));
    }
    Path output = folder.resolve(stores);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(stores).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(() -> stores + ": " + printed).isZero();
    assertThat(printed.lines().filter("locked"::equals)).as(stores).hasSize(names.length);
  }
}
