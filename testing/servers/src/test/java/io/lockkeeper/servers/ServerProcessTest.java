package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that starts a process for each client, as PostgreSQL does. */
class ServerProcessTest {

  private static final int ROUNDS = 20;
  private static final long MILLI = 1_000_000;

  @TempDir private Path folder;

  /** One that is left would keep the shared memory from the server that starts in its place. */
  @Test
  void theChildrenOfAServerThatIsStartingMoreOfThemEndWithIt() {
    Path shell = Path.of("/bin/sh");
    assumeTrue(Files.isExecutable(shell), "needs a shell");
    String child = "sleep 60." + ProcessHandle.current().pid(); // to be told from all others
    for (int round = 0; round < ROUNDS; round++) {
      String command = "while :; do " + child + " & sleep 0.003; done";
      ServerProcess server = ServerProcess.start(List.of(shell.toString(), "-c", command), folder);
      LockSupport.parkNanos((20 + round) * MILLI);

      server.kill();

      assertThat(ProcessHandle.allProcesses())
          .as("round %s", round)
          .noneMatch(process -> process.info().commandLine().orElse("").contains(child));
    }
  }
}
