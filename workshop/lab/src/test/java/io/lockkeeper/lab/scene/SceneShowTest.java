package io.lockkeeper.lab.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.lab.CommandRun;
import io.lockkeeper.lab.CommandRun.Ended;
import io.lockkeeper.lab.oversell.Strategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scenes from end to end: two instances of the service, real stores, few orders. */
@Tag("full")
class SceneShowTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final boolean IS_CI = "true".equals(System.getenv("CI"));

  @TempDir private Path folder;

  private Ended show(String... arguments) {
    return CommandRun.of(
        Stream.concat(
                Stream.of("--users", "4", "--json", file("figures.json")), Stream.of(arguments))
            .toArray(String[]::new));
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private JsonNode scene(int index) throws IOException {
    return JSON.readTree(folder.resolve("figures.json").toFile()).at("/scenes/" + index);
  }

  @Test
  void aFaultBreaksWhatItShouldAndNotTheCure() throws IOException {
    Ended ended = show("lockRedis", "redis-3", "--orders", "5", "--report", file("r.html"));

    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(scene(0).at("/sold").intValue()).as("the lock sells exactly").isEqualTo(20);
    assertThat(scene(0).at("/stockLeft").intValue()).isZero();
    assertThat(scene(0).at("/oversold").intValue()).isZero();
    for (int i = 0; i < 2; i++) {
      assertThat(scene(i).at("/broken/oversold").intValue()).isEqualTo(1);
      assertThat(scene(i).at("/cure/oversold").intValue()).isZero();
    }
    assertThat(ended.out()).contains("none: oversold 1", "lock: right", "owner: right");
    assertThat(Files.readString(folder.resolve("r.html")))
        .contains("instance 2, B", "[\"lockRedis\"", "\"live\":false")
        .doesNotContain(" src=", "http://127", "${");
    assertThat(scene(0).at("/p999Millis").doubleValue())
        .isGreaterThanOrEqualTo(scene(0).at("/p50Millis").doubleValue())
        .isPositive();
    assertThat(ended.err()).contains("starting 2 instances", "instance 2 is up");
  }

  @Test
  void withoutALockTwoOrdersSellTheSamePieceAndOneStatementDoesNot() throws IOException {
    Ended ended = show("none", "transaction", "--orders", "0");

    assumeStarted(ended);
    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(scene(0).at("/broken/oversold").intValue()).isEqualTo(1);
    assertThat(scene(1).at("/broken/oversold").intValue()).isEqualTo(1);
    assertThat(scene(1).at("/cure/oversold").intValue()).isZero();
  }

  @Test
  void theInstancesReportLoadsOfCaches() throws IOException {
    Ended ended = show("fairLockRedis", "cache-avalanche", "--orders", "50");

    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(scene(0).at("/loadFaults")).isEmpty();
    assertThat(scene(1).at("/loadsPerSecond").doubleValue()).isPositive();
    assertThat(scene(1).at("/loadsPerSecondUnguarded").doubleValue()).isPositive();
  }

  @Test
  void theDatabaseChoosesAVictimOfADeadlock() throws IOException {
    Ended ended = show("deadlock", "--orders", "0");

    assumeStarted(ended);
    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(scene(0).at("/broken/what").textValue()).contains("chosen as the victim");
    assertThat(scene(0).at("/cure/what").textValue()).isEmpty();
  }

  /** What a machine does not have is left out. */
  @Test
  @Tag("slow")
  void allScenesDoWhatTheySay() {
    Ended ended = show("--all", "--orders", "5");

    assumeStarted(ended);
    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    if (IS_CI) {
      assertThat(ended.err()).doesNotContain("is left out");
    }
  }

  private static void assumeStarted(Ended ended) {
    assumeTrue(IS_CI || !ended.err().contains("cannot start MariaDB"), ended.err());
  }

  @Test
  void scenesHaveNamesOfTheirOwnAndStrategiesThatThereAre() {
    Set<String> beans =
        Set.of(
            "synchronized",
            "prototype",
            "insideTransaction",
            "outsideTransaction",
            "locked",
            "lockedFair");
    Set<String> names = new HashSet<>();

    for (Scene scene : Scenes.list()) {
      assertThat(names.add(scene.name())).as(scene.name()).isTrue();
      assertThat(List.of(scene.strategy(), scene.broken(), scene.cure()))
          .as(scene.name())
          .allMatch(it -> beans.contains(it) || Strategies.find(it).isPresent());
    }
  }
}
