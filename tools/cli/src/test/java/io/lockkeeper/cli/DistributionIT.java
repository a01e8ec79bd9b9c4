package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The distribution, unpacked where there are no sources and no Maven, against a Redis server of the
 * machine.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class DistributionIT {

  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final List<String> TOOLS =
      List.of("mkdir", "mv", "readlink", "rm", "sed", "tr", "true", "touch", "cat");

  /** A dependency in the list of licenses: {@code (group:artifact:version - address)}. */
  private static final Pattern MODULE = Pattern.compile("\\([\\w.-]+:([\\w.-]+):([\\w.-]+) - ");

  private record Ended(int status, String out, String err) {}

  @TempDir private static Path folder;
  private static Path unpacked;
  private static Path bin;

  @BeforeAll
  static void unpack() throws IOException {
    try (ZipFile zip = new ZipFile(onlyOf("lockkeeper-*.zip").toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        Path file = folder.resolve(entry.getName());
        Files.createDirectories(entry.isDirectory() ? file : file.getParent());
        if (!entry.isDirectory()) {
          Files.copy(zip.getInputStream(entry), file);
        }
      }
    }
    try (Stream<Path> found = Files.list(folder)) {
      unpacked =
          found
              .filter(it -> it.getFileName().toString().startsWith("lockkeeper-"))
              .findFirst()
              .orElseThrow();
    }
    assertThat(script().toFile().setExecutable(true)).isTrue();
    bin = Files.createDirectory(folder.resolve("path"));
    passOn("java", Path.of(System.getProperty("java.home"), "bin", "java"));
    for (String tool : TOOLS) {
      for (String place : List.of("/usr/bin", "/bin")) {
        if (Files.isExecutable(Path.of(place, tool))) {
          passOn(tool, Path.of(place, tool));
        }
      }
    }
  }

  private static void passOn(String name, Path program) throws IOException {
    Path file = bin.resolve(name);
    Files.writeString(file, "#!/bin/sh\nexec '" + program + "' \"$@\"\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static Path onlyOf(String pattern) throws IOException {
    try (var found = Files.newDirectoryStream(TARGET, pattern)) {
      return found.iterator().next();
    }
  }

  private static Path script() {
    return unpacked.resolve("bin").resolve("lockkeeper");
  }

  private static Ended run(Path script, String... arguments)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    List<String> command = new ArrayList<>(List.of("/bin/sh", script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().put("HOME", folder.toString());
    Process process = builder.start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private static Ended run(String... arguments) throws IOException, InterruptedException {
    return run(script(), arguments);
  }

  @Test
  void theLicensesOfAllJarsAreNamed() throws IOException {
    assertThat(unpacked.resolve("LICENSE")).isNotEmptyFile();
    List<String> named =
        MODULE
            .matcher(Files.readString(unpacked.resolve("THIRD-PARTY.txt")))
            .results()
            .map(module -> module.group(1) + "-" + module.group(2))
            .toList();
    List<String> jars;
    try (Stream<Path> found = Files.list(unpacked.resolve("lib"))) {
      jars =
          found.map(it -> it.getFileName().toString()).filter(it -> it.endsWith(".jar")).toList();
    }

    assertThat(jars).hasSizeGreaterThan(50);
    assertThat(jars)
        .filteredOn(jar -> !jar.startsWith("lockkeeper-"))
        .allSatisfy(jar -> assertThat(named).anyMatch(jar::startsWith));
  }

  @Test
  void itRunsCommandsAndLooksAfterLocksOnARealServer() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      String store = server.url();

      Ended ran =
          run("exec", "--store", store, "job", "--", "/bin/sh", "-c", "echo $LOCKKEEPER_TOKEN");
      Ended inside =
          run(
              "exec",
              "--store",
              store,
              "job",
              "--",
              "/bin/sh",
              script().toString(),
              "show",
              "--store",
              store,
              "job");
      Ended listed = run("list", "--store", store);
      Ended shown = run("show", "--store", store, "job");
      Ended released = run("release", "--store", store, "--yes", "job");
      Ended examined = run("doctor", "--store", store);

      assertThat(ran.status()).as(ran.err()).isZero();
      assertThat(ran.out()).matches("\\d+\\R");
      assertThat(ran.err()).isEmpty();
      assertThat(inside.out()).contains("job");
      assertThat(inside.status()).as(inside.err()).isZero();
      assertThat(listed.status()).as(listed.err()).isZero();
      assertThat(shown.status()).as("nobody holds it now").isEqualTo(1);
      assertThat(released.status()).as(released.out() + released.err()).isLessThan(2);
      assertThat(examined.status()).as(examined.out() + examined.err()).isLessThan(2);
      assertThat(examined.out()).isNotEmpty();
    }
  }

  @Test
  void theFirstStartMakesAnArchiveThatLaterOnesUse() throws Exception {
    run("--version");

    Path archive;
    try (var found = Files.newDirectoryStream(unpacked.resolve("lib"), "*.jsa")) {
      archive = found.iterator().next();
    }
    assertThat(archive).isNotEmptyFile();
    long made = Files.getLastModifiedTime(archive).toMillis();
    Ended ended = run("exec", "x", "--", "true");
    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out() + ended.err()).isEmpty();
    assertThat(Files.getLastModifiedTime(archive).toMillis()).isEqualTo(made);
  }

  @Test
  void anArchiveOfAnotherJvmIsIgnoredInSilence() throws Exception {
    run("--version");
    try (var found = Files.newDirectoryStream(unpacked.resolve("lib"), "*.jsa")) {
      Path archive = found.iterator().next();
      Files.delete(archive); // the JVM has made it read-only
      Files.write(archive, new byte[10_000]);
    }

    Ended ended = run("exec", "x", "--", "true");

    assertThat(ended.status()).isZero();
    assertThat(ended.out() + ended.err()).isEmpty();
    try (var found = Files.newDirectoryStream(unpacked.resolve("lib"), "*.jsa")) {
      Files.delete(found.iterator().next());
    }
  }

  @Test
  void itIsStartedThroughASymbolicLink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("lk"), script());

    assertThat(run(link, "--version").out()).startsWith("lockkeeper ");
  }

  @Test
  void thereIsNoLaboratoryInIt() throws IOException {
    try (Stream<Path> jars = Files.list(unpacked.resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .noneMatch(
              jar ->
                  jar.matches(
                      ".*(servers|testkit|lab|junit|assertj|xchart|binaries|embedded).*\\.jar"));
    }
    assertThat(unpacked.resolve("LICENSE")).isNotEmptyFile();
    assertThat(unpacked.resolve("README.md")).isNotEmptyFile();
    assertThat(Files.readString(unpacked.resolve("completion").resolve("lockkeeper")))
        .contains("--conflict-exit-code", "complete -F");
    Path built = TARGET.resolve(unpacked.getFileName()).resolve(unpacked.getFileName());
    assertThat(Files.isExecutable(built.resolve("bin").resolve("lockkeeper"))).isTrue();
  }
}
