package io.lockkeeper.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.history.MemoryRecorder;
import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.LoadPlans;
import io.lockkeeper.lab.load.MemoryRegister;
import io.lockkeeper.lab.torture.Workers.WorkerOrder;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Worker processes whose round is short. */
@Tag("full")
class WorkerProcessTest {

  @Test
  void aRoundThatEndsBeforeAWorkerIsConnectedHasNoProblemWithIt(@TempDir Path folder)
      throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "redis://127.0.0.1:" + silent.getLocalPort() + "?timeout=1s";
      try (WorkerProcess worker = start(url, folder)) {
        worker.stop();

        assertThat(worker.awaitEnd()).isEmpty();
        assertThat(worker.acquisitions()).isZero();
      }
    }
  }

  private static WorkerProcess start(String url, Path folder) {
    WorkerOrder order =
        new WorkerOrder(
            WorkerOrder.OWN,
            "p1.1",
            url,
            url,
            "round",
            folder.toString(),
            1,
            Duration.ofSeconds(1),
            LoadPlans.of(1, ResourceType.LOCK));
    return WorkerProcess.start(order, new MemoryRegister(new MemoryRecorder()));
  }
}
