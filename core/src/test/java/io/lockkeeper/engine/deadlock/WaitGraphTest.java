package io.lockkeeper.engine.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Circles among threads that wait for each other. */
class WaitGraphTest {

  private final List<Suspect> all = new ArrayList<>();

  private static Suspect.Held held(ResourceId resource) {
    return held(resource, 1);
  }

  private static Suspect.Held held(ResourceId resource, int permits) {
    return new Suspect.Held(resource, 7, permits);
  }

  private static ResourceId semaphore(String name) {
    return new ResourceId(ResourceKind.SEMAPHORE, name);
  }

  private Suspect add(int thread, String waitsFor, Suspect.Held... holds) {
    return add(thread, ResourceId.lock(waitsFor), 1, 1, holds);
  }

  private Suspect add(
      int thread, ResourceId waitsFor, int permits, int limit, Suspect.Held... holds) {
    Suspect suspect =
        new Suspect(
            "client",
            "host/1",
            true,
            thread,
            "thread " + thread,
            thread,
            1_000,
            thread,
            waitsFor,
            permits,
            limit,
            thread == 1,
            Arrays.asList(holds));
    all.add(suspect);
    return suspect;
  }

  @Test
  void twoThreadsThatWaitForEachOtherAreACircle() {
    Suspect first = add(1, "b", held(ResourceId.lock("a")));
    Suspect second = add(2, "a", held(ResourceId.lock("b")));

    assertThat(WaitGraph.circles(all)).containsExactly(List.of(first, second));
  }

  @Test
  void theOrderIsWhoWaitsForWhom() {
    Suspect first = add(1, "b", held(ResourceId.lock("a")));
    Suspect third = add(3, "a", held(ResourceId.lock("c")));
    Suspect second = add(2, "c", held(ResourceId.lock("b")));

    assertThat(WaitGraph.circles(all)).containsExactly(List.of(first, second, third));
  }

  @Test
  void aChainThatEndsWithSomebodyWhoRunsIsNone() {
    add(1, "b", held(ResourceId.lock("a")));
    add(2, "c", held(ResourceId.lock("b"))); // c is held by nobody who waits

    assertThat(WaitGraph.circles(all)).isEmpty();
  }

  @Test
  void whoWaitsForACircleIsNotPartOfIt() {
    add(1, "a", held(ResourceId.lock("z")));
    Suspect first = add(2, "b", held(ResourceId.lock("a")));
    Suspect second = add(3, "a", held(ResourceId.lock("b")));
    add(4, "z", held(ResourceId.lock("y")));

    assertThat(WaitGraph.circles(all)).hasSize(1);
    assertThat(WaitGraph.circles(all).get(0)).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void twoCirclesAreTwo() {
    add(1, "b", held(ResourceId.lock("a")));
    add(2, "a", held(ResourceId.lock("b")));
    add(3, "d", held(ResourceId.lock("c")));
    add(4, "c", held(ResourceId.lock("d")));

    assertThat(WaitGraph.circles(all)).hasSize(2);
  }

  @Test
  void aWriterWaitsForEveryReader() {
    ResourceId lock = new ResourceId(ResourceKind.READ_WRITE_LOCK, "rw");
    add(1, "a", held(lock, 1));
    add(2, lock, Share.ALL, Share.ALL, held(ResourceId.lock("a")));

    assertThat(WaitGraph.circles(all)).hasSize(1);
  }

  @Test
  void aSemaphoreWithAPermitThatSomebodyElseHasIsNoObstacle() {
    add(1, "a", held(semaphore("s")));
    add(2, semaphore("s"), 1, 2, held(ResourceId.lock("a")));

    assertThat(WaitGraph.circles(all)).as("the other permit will come back").isEmpty();
  }

  @Test
  void aSemaphoreWhosePermitsAreAllWithTheStuckIsOne() {
    add(1, "a", held(semaphore("s")));
    add(2, semaphore("s"), 1, 2, held(ResourceId.lock("a")));
    add(3, "a", held(semaphore("s")));

    assertThat(WaitGraph.circles(all)).hasSize(1);
  }

  @Test
  void aThreadMayWaitForItself() {
    Suspect alone = add(1, semaphore("s"), 2, 3, held(semaphore("s"), 2));

    assertThat(WaitGraph.circles(all)).containsExactly(List.of(alone));
  }

  @Test
  void aSemaphoreThatIsTooSmallForARequestIsNoDeadlock() {
    add(1, semaphore("s"), 5, 3, held(semaphore("s"), 1));

    assertThat(WaitGraph.circles(all)).isEmpty();
  }

  @Test
  void locksAndSemaphoresOfOneNameAreDifferent() {
    add(1, "b", held(semaphore("a")));
    add(2, "a", held(ResourceId.lock("b")));

    assertThat(WaitGraph.circles(all)).isEmpty();
  }

  @Test
  void aBoardSaysWhatWasWrittenOnIt() {
    WaitForBoard board = new WaitForBoard();
    add(1, semaphore("b \u00e9"), 2, 3, held(ResourceId.lock("a")), held(semaphore("c"), 2));
    add(2, "x");
    board.notes().put("one", new WaitForBoard.Note(5, all.subList(0, 1)));
    board.notes().put("two", new WaitForBoard.Note(6, List.of()));

    WaitForBoard read = WaitForBoard.read(board.write());

    assertThat(read.notes().keySet()).containsExactly("one", "two");
    assertThat(read.notes().get("one").number()).isEqualTo(5);
    assertThat(read.suspects()).hasSize(1);
    assertThat(read.suspects().iterator().next())
        .usingRecursiveComparison()
        .ignoringFields("client")
        .isEqualTo(all.get(0));
  }

  @Test
  void somethingElseIsNoBoard() {
    CellValue broken = CellValue.of("C\tone\tx\n".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> WaitForBoard.read(broken))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
