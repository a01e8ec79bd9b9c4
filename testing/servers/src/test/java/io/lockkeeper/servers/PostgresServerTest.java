package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class PostgresServerTest extends SqlServerTests {

  private static final Path SHARED_MEMORY = Path.of("/proc/sysvipc/shm");
  private static final int ROUNDS = 20;

  PostgresServerTest() {
    super(PostgresServer.binaries());
  }

  @Override
  SqlServerBuilder<PostgresServer> builder() {
    return PostgresServer.builder();
  }

  @Override
  List<String> questions() {
    return List.of("show server_version", "show server_encoding");
  }

  /** A server that starts in its place refuses to while a process of the killed one has it. */
  @Test
  void nobodyHasTheSharedMemoryOfAServerThatWasKilled() throws IOException {
    assumeTrue(Files.isReadable(SHARED_MEMORY), "needs Linux");
    try (PostgresServer server = builder().start()) {
      for (int round = 0; round < ROUNDS; round++) {
        long pid = server.pid();

        server.kill();

        assertThat(Files.readAllLines(SHARED_MEMORY))
            .as("round %s", round)
            .noneMatch(line -> isOfAndInUse(line.strip().split("\\s+"), pid));
        server.restart();
      }
    }
  }

  /**
   * The columns are the key, an id, rights, the size, who made it, who used it, how many have it.
   */
  private static boolean isOfAndInUse(String[] columns, long pid) {
    return columns[4].equals(Long.toString(pid)) && !columns[6].equals("0");
  }
}
