package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./lockkeeper}, in a copy of the project's tree with a toy Maven and Java. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class LauncherTest {

  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final String BASH = "/bin/bash";
  private static final List<String> TOOLS =
      List.of(
          "cp",
          "dirname",
          "find",
          "mkdir",
          "mktemp",
          "mv",
          "readlink",
          "rm",
          "sed",
          "tail",
          "touch");

  private static final String TOY_MAVEN =
      """
      #!/bin/bash
      echo "[INFO] building"
      echo run >> "%s"
      if [[ -e broken ]]; then echo "[ERROR] it is broken"; exit 1; fi
      mkdir -p tools/cli/target/lockkeeper-1.0/lockkeeper-1.0/bin workshop/lab/target
      touch workshop/lab/target/lab.jar
      cp "%s" tools/cli/target/lockkeeper-1.0/lockkeeper-1.0/bin/lockkeeper
      """;

  private static final String TOY_DISTRIBUTION =
      """
      #!/bin/bash
      echo "$0 $* (java: ${LOCKKEEPER_JAVA:-})"
      """;

  private static final String TOY_JAVA =
      """
      #!/bin/bash
      if [[ $1 == -version ]]; then echo 'openjdk version "%s"' >&2; exit; fi
      echo "java $*"
      """;

  private record Ended(int status, String out, String err) {}

  @TempDir private Path folder;
  private Path project;
  private Path bin;
  private Path builds;
  private String path = "";

  @BeforeEach
  void copyTheTree() throws IOException {
    project = Files.createDirectory(folder.resolve("project with a blank"));
    bin = Files.createDirectory(folder.resolve("bin"));
    builds = folder.resolve("builds");
    path = bin.toString();
    Files.copy(ROOT.resolve("lockkeeper"), project.resolve("lockkeeper"));
    Files.createDirectories(project.resolve("core/src/main/java"));
    Files.writeString(project.resolve("pom.xml"), "<project/>");
    for (String tool : TOOLS) {
      passOn(tool);
    }
    program("distribution", TOY_DISTRIBUTION);
    program("mvn", TOY_MAVEN.formatted(builds, bin.resolve("distribution")));
    program("java", TOY_JAVA.formatted("17.0.1"));
    program("javac", "#!" + BASH + "\n");
  }

  private void passOn(String tool) throws IOException {
    for (String place : List.of("/bin", "/usr/bin")) {
      if (Files.isExecutable(Path.of(place, tool))) {
        program(tool, "#!" + BASH + "\nexec " + place + "/" + tool + " \"$@\"\n");
        return;
      }
    }
  }

  private void program(String name, String text) throws IOException {
    Path file = bin.resolve(name);
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Ended run(Path script, String... arguments) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    List<String> command = new ArrayList<>(List.of(BASH, script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", path);
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), read(out), read(err));
  }

  private Ended run(String... arguments) throws IOException, InterruptedException {
    return run(project.resolve("lockkeeper"), arguments);
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  private long countBuilds() throws IOException {
    return Files.exists(builds) ? read(builds).lines().count() : 0;
  }

  @Test
  void theFirstUseBuildsAndLaterOnesDoNot() throws Exception {
    Ended first = run("list", "--store", "a b");
    Ended second = run("--version");

    assertThat(first.status()).as(first.err()).isZero();
    assertThat(first.err()).contains("building").doesNotContain("INFO");
    assertThat(first.out()).contains("/lockkeeper-1.0/bin/lockkeeper list --store a b");
    assertThat(second.err()).isEmpty();
    assertThat(countBuilds()).isEqualTo(1);
  }

  private void changeASource() throws IOException {
    Path source = project.resolve("core/src/main/java/New.java");
    Files.writeString(source, "class New {}");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plus(Duration.ofMinutes(1))));
  }

  @Test
  void aChangedSourceDoesNotTurnACommandIntoABuild() throws Exception {
    run();
    changeASource();
    Files.delete(bin.resolve("mvn"));

    Ended ended = run("exec", "x", "--", "true");

    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.err()).isEmpty();
    assertThat(countBuilds()).isEqualTo(1);
  }

  @Test
  void experimentsGoToTheLaboratoryOfToday() throws Exception {
    Ended first = run("torture", "--orders", "1");
    changeASource();
    Ended second = run("lab", "--help");

    assertThat(first.out()).contains("/lab.jar io.lockkeeper.lab.Main torture --orders 1");
    assertThat(second.out()).contains("/lab.jar io.lockkeeper.lab.Main --help");
    assertThat(countBuilds()).isEqualTo(2);
  }

  @Test
  void theHelpListsTheExperimentsToo() throws Exception {
    Ended ended = run("--help");

    assertThat(ended.status()).isZero();
    assertThat(ended.out()).containsSubsequence("bin/lockkeeper --help", "torture", "soak");
    assertThat(run("list", "--help").out()).doesNotContain("torture");
  }

  @Test
  void itWorksThroughSymbolicLinks() throws Exception {
    Path absolute = Files.createSymbolicLink(folder.resolve("a"), project.resolve("lockkeeper"));
    Path relative = Files.createSymbolicLink(bin.resolve("lk"), Path.of("..", "a"));

    assertThat(run(absolute).status()).isZero();
    assertThat(run(relative).out()).contains(project + "/tools/cli/target");
    assertThat(countBuilds()).isEqualTo(1);
  }

  @Test
  void aFailedBuildShowsItsErrorsAndIsTriedAgain() throws Exception {
    Files.createFile(project.resolve("broken"));

    Ended ended = run();

    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.err()).contains("[ERROR] it is broken", "the build failed");
    Files.delete(project.resolve("broken"));
    assertThat(run().status()).isZero();
  }

  @Test
  void aMissingJavaIsSaid() throws Exception {
    Files.delete(bin.resolve("java"));

    Ended ended = run();

    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.err()).contains("Java is missing", "17 or newer");
  }

  @Test
  void anOldJavaIsSaid() throws Exception {
    program("java", TOY_JAVA.formatted("11.0.2"));

    Ended ended = run();

    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.err()).contains("Java 17 or newer is needed", "is Java 11");
  }

  @Test
  void aMissingCompilerIsSaid() throws Exception {
    Files.delete(bin.resolve("javac"));

    Ended ended = run();

    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.err()).contains("install a JDK");
  }

  @Test
  void aMissingMavenIsSaid() throws Exception {
    Files.delete(bin.resolve("mvn"));

    Ended ended = run();

    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.err()).contains("Maven is missing");
  }

  @Test
  void withAShortPathTheJavaOfTheBuildIsTaken() throws Exception {
    Path jdk = Files.createDirectory(folder.resolve("jdk"));
    Files.move(bin.resolve("java"), jdk.resolve("java"));
    path = bin + ":" + jdk;
    assertThat(run().status()).isZero();
    path = bin.toString();

    Ended ended = run("exec", "x", "--", "true");

    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("exec x -- true (java: " + jdk.resolve("java") + ")");
  }

  @Test
  void whatStandsInTheWayOfExecHasAStatusOfItsOwn() throws Exception {
    Files.delete(bin.resolve("java"));

    assertThat(run("exec", "x", "--", "true").status()).isEqualTo(69);
  }

  @Test
  void aBuildOfTheLaboratoryMakesAnArchiveOfClasses() throws Exception {
    program(
        "java",
        TOY_JAVA.formatted("17.0.1")
            + """
            for option; do
              case $option in -XX:ArchiveClassesAtExit=*) : >"${option#*=}" ;; esac
            done
            """);
    run("torture");

    assertThat(run("torture").out())
        .contains("-XX:SharedArchiveFile=" + project + "/workshop/lab/target/lockkeeper-lab.jsa");
  }
}
