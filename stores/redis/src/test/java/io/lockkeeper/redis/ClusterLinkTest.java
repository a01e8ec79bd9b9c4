package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.cluster.RedisClusterClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What the way to a cluster does when the driver fails in a way that nobody expects. */
class ClusterLinkTest {

  /** A driver that fails the first time it is asked where the slots are. */
  private static final class Driver extends RedisClusterClient {

    private int asked;

    @Override
    public CompletionStage<Void> refreshPartitionsAsync() {
      asked++;
      if (asked == 1) {
        throw new NoClassDefFoundError("made up");
      }
      return new CompletableFuture<>();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // no connection is used
  void slotsAreAskedForAgainAfterAnErrorAndOnceAtATime() {
    Driver driver = new Driver();
    try {
      ClusterLink link = new ClusterLink(driver, null, Replication.NONE, "a cluster", () -> {});
      assertThatThrownBy(link::slotsMoved).isInstanceOf(NoClassDefFoundError.class);

      link.slotsMoved();
      link.slotsMoved();

      assertThat(driver.asked).isEqualTo(2);
    } finally {
      driver.shutdown();
    }
  }
}
