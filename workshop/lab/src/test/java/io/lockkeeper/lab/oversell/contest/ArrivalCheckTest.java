package io.lockkeeper.lab.oversell.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.oversell.strategy.Grant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArrivalCheckTest {

  @Test
  void grantsInOrderOfArrivalAreNoViolation() {
    assertThat(ArrivalCheck.of(List.of(new Grant(1, 10), new Grant(2, 11), new Grant(5, 30))))
        .isEqualTo(new ArrivalCheck(3, 3, 0));
  }

  @Test
  void theOrderOfTheReportsDoesNotMatter() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    List<Grant> grants =
        new ArrayList<>(
            LongStream.range(0, 500).mapToObj(i -> new Grant(i * 3, 1_000 + i)).toList());
    Collections.shuffle(grants, new Random(seed));
    assertThat(ArrivalCheck.of(grants).violations()).isZero();
  }

  @Test
  void everyGrantAfterALaterArrivalCounts() {
    List<Grant> grants =
        List.of(
            new Grant(1, 10),
            new Grant(2, 40), // too early
            new Grant(3, 20), // violated
            new Grant(4, 30), // violated
            new Grant(5, 50));
    assertThat(ArrivalCheck.of(grants)).isEqualTo(new ArrivalCheck(5, 5, 2));
  }

  @Test
  void grantsThatDidNotQueueHaveNoPlaceInTheOrder() {
    List<Grant> grants = List.of(new Grant(1, 10), new Grant(2, -1), new Grant(3, 11));
    assertThat(ArrivalCheck.of(grants)).isEqualTo(new ArrivalCheck(3, 2, 0));
  }

  @Test
  void nothingIsNoViolation() {
    assertThat(ArrivalCheck.of(List.of())).isEqualTo(new ArrivalCheck(0, 0, 0));
  }
}
