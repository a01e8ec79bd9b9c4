package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/** What becomes of notifications when something is thrown on their way. */
class NotificationsTest {

  private static final ResourceId NAME = ResourceId.lock("n");

  /** A scheduler that refuses its first task. */
  private static final class Refusing implements Scheduler {

    private int planned;

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
      planned++;
      if (planned == 1) {
        throw new NoClassDefFoundError("made up");
      }
      return () -> {};
    }

    @Override
    public void close() {}
  }

  @Test
  void anErrorWhileAWatchIsPlannedLeavesTheNextHolderWatched() {
    Refusing scheduler = new Refusing();
    Environment environment = new Environment(System::nanoTime, () -> scheduler, new Random(1));
    StoreContext context = new StoreContext("c1", "test", "ns", Timings.DEFAULT, environment);
    ZooKeeperSettings settings = ZooKeeperUrl.parse("zookeeper://a:1");
    try (Connection connection = new Connection(settings, new NoSessions(), environment)) {
      Paths paths = new Paths(settings.root(), "ns");
      OwnClaims mine = new OwnClaims();
      StepQueues turns = new StepQueues();
      CasLoop steps =
          new CasLoop(
              connection,
              paths,
              context,
              new LeaseObservations(System::nanoTime),
              mine,
              turns,
              () -> CompletableFuture.completedFuture(new Stat()));
      Notifications notifications =
          new Notifications(connection, paths, context, steps, mine, turns, new RecentContention());
      assertThatThrownBy(() -> notifications.watchIfKept(NAME, 1, "a"))
          .isInstanceOf(NoClassDefFoundError.class);

      notifications.watchIfKept(NAME, 2, "b");

      assertThat(scheduler.planned).isEqualTo(2);
    }
  }
}
