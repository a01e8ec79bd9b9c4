package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LostHoldsTest {

  @Test
  void theOldestOfVeryManyLossesIsForgotten() {
    Losses losses = new Losses();
    Thread me = Thread.currentThread();
    Hold lost = PoolFixture.anyHold();
    for (int i = 0; i <= 10_000; i++) {
      losses.add(me, "r" + i, lost);
    }

    assertThat(losses.of(me, "r0")).isNull();
    assertThat(losses.of(me, "r1")).isSameAs(lost);
    assertThat(losses.of(me, "r10000")).isSameAs(lost);
  }
}
