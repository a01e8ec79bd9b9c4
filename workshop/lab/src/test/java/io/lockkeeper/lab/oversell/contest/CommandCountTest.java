package io.lockkeeper.lab.oversell.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommandCountTest {

  @Test
  void theOrdersOwnCommandsAreNotTheLocks() {
    Map<String, Long> before = Map.of("get", 100L, "set", 50L);
    Map<String, Long> after = Map.of("get", 220L, "set", 180L, "rpush", 10L, "evalsha", 20L);
    Map<String, Long> orders = Map.of("get", 100L, "set", 10L, "rpush", 10L);

    CommandCount count = CommandCount.between(before, after, orders, Set.of("set", "evalsha"));

    assertThat(count.sent()).as("120 SET and 20 EVALSHA").isEqualTo(140);
    assertThat(count.inScripts()).as("20 GET").isEqualTo(20);
  }
}
