package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Inspection;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResourceReportTest {

  private static final ClientInfo SHOP = new ClientInfo("id", "shop-1", "host-7", 4711L);
  private static final ClientInfo FORGOTTEN =
      new ClientInfo(Inspection.Holder.FORGOTTEN, "unknown holder", null, null);

  private static HolderReport holder(ClientInfo client, @Nullable String thread, boolean resting) {
    return new HolderReport(
        ResourceKind.LOCK,
        "stock",
        1,
        client,
        thread,
        7,
        OptionalInt.of(1),
        Duration.ofNanos(12_300_456_789L),
        Duration.ofSeconds(20),
        resting);
  }

  private static WaiterReport waiter(@Nullable String thread) {
    return new WaiterReport(SHOP, thread, 1, OptionalInt.of(1), Duration.ZERO);
  }

  private static ResourceReport report(ResourceKind kind, HolderReport... holders) {
    return new ResourceReport(
        kind, "stock", OptionalInt.of(1), List.of(holders), List.of(waiter(null), waiter("w")));
  }

  @Test
  void aThreadThatIsNotKnownIsSaidToBeOne() {
    ResourceReport lock = report(ResourceKind.LOCK);

    assertThat(lock.describe(holder(SHOP, "worker", false))).isEqualTo("thread 'worker' of shop-1");
    assertThat(lock.describe(holder(SHOP, null, false))).isEqualTo("a thread of shop-1");
    assertThat(lock.describe(holder(SHOP, null, true))).as("nobody holds it").isEqualTo("shop-1");
    assertThat(lock.describe(holder(FORGOTTEN, null, false))).isEqualTo("unknown holder");
    assertThat(lock.describe(waiter("w"))).isEqualTo("thread 'w' of shop-1");
    assertThat(lock.describe(waiter(null))).isEqualTo("one or more threads of shop-1");
  }

  /** Only a lock is handed off: elsewhere a request without a thread is asynchronous. */
  @Test
  void whatIsNotHandedOffHasNoUnknownThreads() {
    ResourceReport semaphore = report(ResourceKind.SEMAPHORE);

    assertThat(semaphore.describe(holder(SHOP, null, false))).isEqualTo("shop-1");
    assertThat(semaphore.describe(waiter(null))).isEqualTo("shop-1");
  }

  @Test
  void aSummaryIsOneLineForALog() {
    HolderReport first = holder(SHOP, null, false);

    assertThat(Stream.of(report(ResourceKind.LOCK), report(ResourceKind.LOCK, first)))
        .extracting(ResourceReport::summary)
        .containsExactly(
            "lock 'stock' is held by nobody; 2 wait",
            "lock 'stock' is held by a thread of shop-1 (host-7, process 4711) for 12.3 s;"
                + " 2 wait");
    assertThat(report(ResourceKind.SEMAPHORE, first, first).summary())
        .isEqualTo(
            "semaphore 'stock' is held by shop-1 (host-7, process 4711) for 12.3 s, and 1 more;"
                + " 2 wait");
  }
}
