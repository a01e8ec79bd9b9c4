package io.lockkeeper.lab.oversell.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisInfoTest {

  @Test
  void commandStatisticsAreRead() {
    Map<String, String> fields =
        RedisInfo.fields(
            """
            # Commandstats
            cmdstat_get:calls=21,usec=175,usec_per_call=8.33
            cmdstat_script|load:calls=2,usec=9,usec_per_call=4.50
            """);

    assertThat(fields).containsOnlyKeys("cmdstat_get", "cmdstat_script|load");
    assertThat(RedisInfo.command("cmdstat_script|load")).isEqualTo("script|load");
    assertThat(RedisInfo.calls(fields.getOrDefault("cmdstat_get", ""))).isEqualTo(21);
  }
}
