package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FirstLockTest {

  private static final String BEGIN = "// README begins";
  private static final String END = "// README ends";
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Path SOURCE = Path.of("src/main/java/io/lockkeeper/examples/FirstLock.java");

  @Test
  void itRunsInMemory() throws InterruptedException {
    GuardedStock stock = new GuardedStock(3);
    FirstLock.run("memory:first-lock", stock);
    assertThat(stock.left()).isZero();
  }

  @Test
  void itRunsOnRedis() throws InterruptedException {
    try (RedisServer server = RedisServer.start()) {
      GuardedStock stock = new GuardedStock(3);
      FirstLock.run(server.url() + "?connectTimeout=60s", stock);
      assertThat(stock.left()).isZero();
    }
  }

  @Test
  void theStockRefusesALateWriter() {
    GuardedStock stock = new GuardedStock(3);
    stock.sellOne(8);
    assertThatThrownBy(() -> stock.sellOne(7)).isInstanceOf(IllegalStateException.class);
    assertThat(stock.left()).isEqualTo(2);
  }

  @Test
  void theReadmeShowsItVerbatim() throws IOException {
    Path readme = ROOT.resolve("README.md");
    assumeTrue(Files.exists(readme), "there is no README.md yet");
    assertThat(Files.readString(readme)).contains("```java\n" + snippet() + "```\n");
  }

  @Test
  void theExampleIsShort() throws IOException {
    assertThat(snippet().lines().filter(line -> !line.isBlank()).count()).isLessThanOrEqualTo(21);
  }

  /** Returns what stands between the markers in the source, moved to the left margin. */
  private static String snippet() throws IOException {
    String source = Files.readString(SOURCE);
    int begin = source.indexOf('\n', source.indexOf(BEGIN)) + 1;
    int end = source.lastIndexOf('\n', source.indexOf(END)) + 1;
    List<String> lines = source.substring(begin, end).lines().toList();
    return String.join("\n", lines).stripIndent() + "\n";
  }
}
