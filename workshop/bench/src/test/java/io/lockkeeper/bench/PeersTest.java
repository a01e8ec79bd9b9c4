package io.lockkeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.lab.Main;
import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.Subject;
import io.lockkeeper.lab.load.Subject.Holding;
import io.lockkeeper.lab.load.SubjectProvider;
import io.lockkeeper.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Locks of others are found by their names, and do what a load expects of them. */
class PeersTest {

  private static final Duration LEASE = Duration.ofMillis(1_500);

  @Test
  void theyAreFoundByName() {
    SubjectProvider provider = SubjectProvider.find("redisson-fair");

    assertThat(provider.types()).containsEntry("redisson-fair", ResourceType.FAIR);
    assertThatThrownBy(() -> SubjectProvider.find("zebra"))
        .hasMessageContaining("zebra")
        .hasMessageContaining("curator");
  }

  /** Where Spring Boot is not, too. */
  @Test
  void theLaboratorysCommandsWorkBesideThem() {
    assertThat(Main.commandLine().getSubcommands()).containsKeys("torture", "soak");
  }

  @Test
  void springsAreHeldAndReleased() throws InterruptedException {
    try (RedisServer server = RedisServer.start();
        Subject subject = new Peers().open("spring-redis", server.url(), "test", LEASE)) {
      Holding holding =
          subject.acquire("lock/a", "write", 1, 1, Duration.ofSeconds(10)).orElseThrow();
      assertThat(holding.remainingNanos()).isPositive();
      server.command("FLUSHALL");
      assertThat(holding.remainingNanos()).isZero();
      assertThat(holding.release()).isFalse();
    }
  }

  @Test
  void redissonsAreHeldAndReleased() throws InterruptedException {
    try (RedisServer server = RedisServer.start();
        Subject subject = new Peers().open("redisson-lock", server.url(), "test", LEASE)) {
      for (String resource : new String[] {"lock/a", "fair/a", "rw/a", "semaphore/a"}) {
        Holding holding =
            subject.acquire(resource, "write", 1, 3, Duration.ofSeconds(10)).orElseThrow();
        assertThat(holding.remainingNanos()).isPositive();
        assertThat(holding.token()).isZero();
        assertThat(holding.release()).isTrue();
      }
    }
  }
}
