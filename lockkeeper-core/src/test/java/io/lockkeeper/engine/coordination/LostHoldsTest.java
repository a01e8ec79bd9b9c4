package io.lockkeeper.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.SharedFixture;
import org.junit.jupiter.api.Test;

class LostHoldsTest {

  @Test
  void theOldestOfVeryManyLossesIsForgotten() {
    LostHolds losses = new LostHolds();
    Thread me = Thread.currentThread();
    Hold lost = SharedFixture.anyHold();
    for (int i = 0; i <= 10_000; i++) {
      losses.add(me, "r" + i, lost);
    }

    assertThat(losses.of(me, "r0")).isNull();
    assertThat(losses.of(me, "r1")).isSameAs(lost);
    assertThat(losses.of(me, "r10000")).isSameAs(lost);
  }
}
