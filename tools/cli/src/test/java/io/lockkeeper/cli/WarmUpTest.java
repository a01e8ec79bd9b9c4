package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  /** The archive of classes would lack whatever comes after the point where it fails. */
  @Test
  void theToyIsEnoughOfARedisServerForExec() throws IOException {
    try (ToyRedis redis = new ToyRedis()) {
      assertThat(CommandRun.of("exec", "--store", redis.url(), "a", "--", "true"))
          .isEqualTo(new CommandRun.Ended(0, "", ""));
    }
  }
}
