package io.lockkeeper.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Also on a machine that can shift no clock, where servers die and come back all the same. */
class ClocksTest {

  @Test
  void clocksThatNobodyShiftedAreNearEachOther() {
    try (Clocks clocks = new Clocks()) {
      assertThat(clocks.get().isEmpty()).isEqualTo(!Clocks.isAvailable());
      clocks.get();

      assertThat(clocks.bringNear(0, 1)).isFalse();
    }
  }
}
