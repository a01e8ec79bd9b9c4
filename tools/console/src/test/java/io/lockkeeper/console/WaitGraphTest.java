package io.lockkeeper.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.HolderReport;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.WaiterReport;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Circles of threads that wait for each other. A thread is named by one letter. */
class WaitGraphTest {

  private static final ClientInfo CLIENT = ClientInfo.unknown("it");

  private static ResourceReport lock(String name, String holders, String waiters) {
    return report(ResourceKind.LOCK, name, OptionalInt.empty(), holders, waiters);
  }

  private static ResourceReport report(
      ResourceKind kind, String name, OptionalInt limit, String holders, String waiters) {
    OptionalInt permits = limit.isPresent() ? OptionalInt.of(1) : OptionalInt.empty();
    return new ResourceReport(
        kind,
        name,
        limit,
        threads(holders)
            .map(
                thread ->
                    new HolderReport(
                        kind,
                        name,
                        1,
                        CLIENT,
                        thread,
                        1,
                        permits,
                        Duration.ZERO,
                        Duration.ZERO,
                        false))
            .toList(),
        threads(waiters)
            .map(thread -> new WaiterReport(CLIENT, thread, 1, permits, Duration.ZERO))
            .toList());
  }

  private static Stream<String> threads(String letters) {
    return letters.chars().mapToObj(Character::toString);
  }

  private static List<WaitGraph.Circle> circles(ResourceReport... reports) {
    return new WaitGraph(List.of(reports)).circles();
  }

  @Test
  void twoThreadsThatWaitForEachOtherAreACircleAndWhoWaitsForThemIsNotInIt() {
    List<WaitGraph.Circle> circles = circles(lock("1", "a", "b"), lock("2", "b", "ac"));

    assertThat(circles).hasSize(1);
    assertThat(circles.get(0).steps())
        .containsExactlyInAnyOrder(
            "thread 'a' of it waits for lock '2'", "thread 'b' of it waits for lock '1'");
    assertThat(circles.get(0).resources()).hasSize(2);
  }

  @Test
  void aChainThatEndsIsNone() {
    assertThat(circles(lock("1", "a", "b"), lock("2", "b", "c"))).isEmpty();
  }

  /** The other reader would not help. */
  @Test
  void aWriterWaitsForEachReader() {
    ResourceReport book =
        report(ResourceKind.READ_WRITE_LOCK, "book", OptionalInt.empty(), "xa", "b");

    assertThat(circles(book, lock("1", "b", "a"))).hasSize(1);
    assertThat(circles(book, lock("1", "b", "c"))).isEmpty();
  }

  /** One permit is enough, whosever it was. */
  @Test
  void aSemaphoreIsStuckOnlyIfAllWhoCouldHelpAre() {
    ResourceReport half = report(ResourceKind.SEMAPHORE, "s", OptionalInt.of(2), "xa", "b");
    ResourceReport all = report(ResourceKind.SEMAPHORE, "s", OptionalInt.of(2), "ca", "b");

    assertThat(circles(half, lock("1", "b", "a"))).isEmpty();
    assertThat(circles(all, lock("1", "b", "a"))).isEmpty();
    List<WaitGraph.Circle> circles = circles(all, lock("1", "b", "a"), lock("2", "b", "c"));
    assertThat(circles).hasSize(1);
    assertThat(circles.get(0).resources())
        .as("what all its holders wait for")
        .extracting(ResourceReport::name)
        .containsExactlyInAnyOrder("s", "1", "2");
  }
}
