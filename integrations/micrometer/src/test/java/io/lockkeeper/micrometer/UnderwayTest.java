package io.lockkeeper.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnderwayTest {

  private final Underway underway = new Underway();

  @Test
  void aRequestWaitsThenHoldsThenIsOver() {
    long place = underway.begun();
    assertThat(underway.waiting()).isEqualTo(1);
    assertThat(underway.held()).isZero();
    assertThat(underway.oldestNanos()).isZero();

    long before = System.nanoTime();
    underway.held(place);
    assertThat(underway.waiting()).isZero();
    assertThat(underway.held()).isEqualTo(1);
    long age = underway.oldestNanos();
    assertThat(age).isBetween(0L, System.nanoTime() - before);
    assertThat(underway.oldestNanos()).isGreaterThanOrEqualTo(age);

    underway.over(place);
    assertThat(underway.held()).isZero();
    assertThat(underway.oldestNanos()).isZero();
  }

  /** Of one thread, so that most of them find no slot. */
  @Test
  void noneIsMissedHoweverManyThereAre() {
    List<Long> places = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      places.add(underway.begun());
    }
    assertThat(places).doesNotHaveDuplicates();
    assertThat(underway.waiting()).isEqualTo(1000);

    places.subList(0, 600).forEach(underway::held);
    assertThat(underway.waiting()).isEqualTo(400);
    assertThat(underway.held()).isEqualTo(600);

    places.forEach(underway::over);
    assertThat(underway.waiting()).isZero();
    assertThat(underway.held()).isZero();
  }

  @Test
  void theOldestIsTheOneThatIsHeldLongest() {
    long first = underway.begun();
    long second = underway.begun();
    underway.held(second);
    long begun = System.nanoTime();
    while (System.nanoTime() == begun) {
      Thread.onSpinWait();
    }
    underway.held(first);
    long between = underway.oldestNanos();
    underway.over(second);

    assertThat(underway.oldestNanos()).isGreaterThanOrEqualTo(0);
    assertThat(between).isPositive();
  }
}
