package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.testkit.tck.Delays;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes at once. */
class ProcessesTest {

  @TempDir private Path folder;

  @Test
  void aHundredThreadsInTwoProcessesCountTogetherOnPostgreSql() throws Exception {
    count(Databases.postgres().jdbcUrl(), 2, 50, 10);
  }

  @Test
  void threeProcessesCountTogetherOnSqlite() throws Exception {
    long patience = Delays.limit(10_000).toMillis(); // cold processes that make the file together
    count(Databases.sqlite("processes") + "?lockkeeper.timeout=" + patience + "ms", 3, 4, 25);
  }

  private void count(String url, int processes, int threads, int rounds)
      throws IOException, InterruptedException {
    Files.writeString(CountingProcess.number(folder), "0");
    long start = System.nanoTime();
    Process[] all = new Process[processes];
    for (int i = 0; i < processes; i++) {
      all[i] = CountingProcess.start(url, folder, threads, rounds);
    }
    try {
      for (Process process : all) {
        assertThat(process.waitFor(Delays.limit(100_000).toMillis(), TimeUnit.MILLISECONDS))
            .isTrue();
        assumeTrue(
            process.exitValue() != CountingProcess.LOST,
            "a process stood still for a second as it was admitted, and lost the lock (W7)");
        assertThat(process.exitValue()).isZero();
      }
    } finally {
      for (Process process : all) {
        process.destroyForcibly();
      }
    }
    String product = JdbcUrl.parse(url).product;
    System.out.printf("%s in %.1f s%n", product, (System.nanoTime() - start) / 1e9);
    int expected = processes * threads * rounds;
    assertThat(Files.readString(CountingProcess.number(folder)))
        .isEqualTo(Integer.toString(expected));
    List<Long> tokens =
        Files.readAllLines(CountingProcess.tokens(folder)).stream().map(Long::valueOf).toList();
    assertThat(tokens).hasSize(expected).isSorted().doesNotHaveDuplicates();
  }
}
