package io.lockkeeper.lab.oversell.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.worker.FromWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private static Fleet fleet(String script) {
    return new Fleet("lock", 2, List.of("sh", "-c", script));
  }

  @Test
  void aWorkerThatDiesIsReported() {
    try (Fleet fleet = fleet("echo no memory >&2; exit 7")) {
      assertThatThrownBy(() -> fleet.await(FromWorker.Opened.class, LONG, done -> {}))
          .isInstanceOf(CannotRunException.class)
          .hasMessageContaining("lock, worker ")
          .hasMessageContaining("ended with status 7 before it was done");
    }
  }

  @Test
  void aWorkerThatIsKilledIsReported() {
    try (Fleet fleet = fleet("kill -9 $$")) {
      assertThatThrownBy(() -> fleet.await(FromWorker.Opened.class, LONG, done -> {}))
          .hasMessageContaining("ended with status 137");
    }
  }

  @Test
  void aWorkerThatHangsIsGivenUp() {
    try (Fleet fleet = fleet("exec sleep 60")) {
      assertThatThrownBy(
              () -> fleet.await(FromWorker.Opened.class, Duration.ofMillis(200), done -> {}))
          .hasMessageContaining("no progress");
    }
  }

  @Test
  void repeatingTheSameCountIsNoProgress() {
    String stuck = "while true; do echo '{\"says\":\"progress\",\"orders\":5}'; sleep 0.05; done";
    try (Fleet fleet = fleet(stuck)) {
      assertThatThrownBy(
              () -> fleet.await(FromWorker.Finished.class, Duration.ofMillis(500), done -> {}))
          .hasMessageContaining("no progress");
    }
  }

  @Test
  void whatMakesNoSenseIsReported() {
    try (Fleet fleet = fleet("echo hello; exec sleep 60")) {
      assertThatThrownBy(() -> fleet.await(FromWorker.Opened.class, LONG, done -> {}))
          .hasMessageContaining("its answers make no sense");
    }
  }

  @Test
  void progressIsAddedUpOverTheWorkers() throws InterruptedException {
    List<Long> sums = new ArrayList<>();
    String script =
        "echo '{\"says\":\"progress\",\"orders\":5}'; echo '{\"says\":\"opened\"}'; exec sleep 60";
    try (Fleet fleet = fleet(script)) {
      assertThat(fleet.await(FromWorker.Opened.class, LONG, sums::add)).hasSize(2);
    }
    assertThat(sums).containsExactly(5L, 10L);
  }
}
