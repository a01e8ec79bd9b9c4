package io.lockkeeper.engine.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose wait is ended to break a circle. */
class VictimsTest {

  private static final Suspect OLD = Suspects.of("b", 1, "x", "y");
  private static final Suspect YOUNG = Suspects.of("a", 5, "y", "x");

  @Test
  void theYoungestWaitIsTheVictim() {
    assertThat(Victims.choose(List.of(OLD, YOUNG))).isEqualTo(YOUNG);
    assertThat(Victims.choose(List.of(YOUNG, OLD))).isEqualTo(YOUNG);
  }

  @Test
  void aClientThatBreaksNoDeadlocksIsSpared() {
    Suspect spared = Suspects.of("c", false, 9, "z", "x");

    assertThat(Victims.choose(List.of(OLD, YOUNG, spared))).isEqualTo(YOUNG);
  }

  @Test
  void thereIsNoVictimWhereNobodyBreaksDeadlocks() {
    assertThat(Victims.choose(List.of(Suspects.of("c", false, 9, "z", "x")))).isNull();
  }

  @Test
  void allChooseTheSameAmongWaitsOfOneAge() {
    Suspect twin = Suspects.of("b", 5, "x", "y");

    assertThat(Victims.choose(List.of(YOUNG, twin)))
        .isEqualTo(Victims.choose(List.of(twin, YOUNG)));
  }
}
