package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FirstLockTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Path GUIDE = Path.of("docs", "guide", "getting-started.md");
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
  void theReadmeShowsTheFirstTenLines() throws IOException {
    assertThat(Files.readString(ROOT.resolve("README.md"))).contains(block("README"));
    assertThat(snippet("README").lines().count()).isLessThanOrEqualTo(10);
  }

  @Test
  void theGuideShowsAllOfIt() throws IOException {
    assertThat(Files.readString(ROOT.resolve(GUIDE))).contains(block("README"), block("guide"));
  }

  private static String block(String page) throws IOException {
    return "```java\n" + snippet(page) + "```\n";
  }

  /** Returns what stands between the markers of a page in the source, moved to the left margin. */
  private static String snippet(String page) throws IOException {
    String source = Files.readString(SOURCE);
    int begin = source.indexOf('\n', source.indexOf("// " + page + " begins")) + 1;
    int end = source.lastIndexOf('\n', source.indexOf("// " + page + " ends")) + 1;
    List<String> lines = source.substring(begin, end).lines().toList();
    return String.join("\n", lines).stripIndent() + "\n";
  }
}
