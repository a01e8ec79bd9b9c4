package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Quorum;
import io.lockkeeper.QuorumLease;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.Delays;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A quorum whose clients start without their stores. */
class LaterQuorumTest {

  /** How many of the stores can be reached. */
  private final AtomicInteger up = new AtomicInteger();

  private final AtomicInteger attempts = new AtomicInteger();
  private final List<Lockkeeper> keepers = new ArrayList<>();

  @AfterEach
  void close() {
    keepers.forEach(Lockkeeper::close);
  }

  private Lockkeeper node(int number) {
    MemoryServer server = MemoryServer.named("later-quorum-" + number);
    return Lockkeeper.builder()
        .connectLater()
        .connect(
            StoreFactory.at(
                "node " + number,
                context -> {
                  attempts.incrementAndGet();
                  if (number >= up.get()) {
                    throw new StoreUnavailableException("down by the test's wish", null);
                  }
                  return server.factory().open(context);
                }));
  }

  @Test
  void aMajorityThatComesLaterIsEnough() throws Exception {
    for (int i = 0; i < 3; i++) {
      keepers.add(node(i));
    }
    Quorum quorum = Lockkeeper.quorum(keepers);
    CompletableFuture<QuorumLease> asked = quorum.lock("n").acquireAsync().toCompletableFuture();
    await().atMost(Delays.patience()).until(() -> attempts.get() > 6);
    assertThat(asked).isNotDone();

    up.set(2);

    QuorumLease lease = asked.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);
    assertThat(lease.nodes()).isEqualTo(2);
    lease.release();
  }
}
