package io.lockkeeper.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.PermitFixture;
import io.lockkeeper.spi.ResourceId;
import org.junit.jupiter.api.Test;

class LostHoldsTest {

  @Test
  void theOldestOfVeryManyLossesIsForgotten() {
    LostHolds losses = new LostHolds();
    Thread me = Thread.currentThread();
    Hold lost = PermitFixture.anyHold();
    for (int i = 0; i <= 10_000; i++) {
      losses.add(me, ResourceId.lock("r" + i), lost);
    }

    assertThat(losses.of(me, ResourceId.lock("r0"))).isNull();
    assertThat(losses.of(me, ResourceId.lock("r1"))).isSameAs(lost);
    assertThat(losses.of(me, ResourceId.lock("r10000"))).isSameAs(lost);
  }
}
