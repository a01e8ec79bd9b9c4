package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class RedisTopologiesTest {

  static List<RedisBinary> binaries() {
    return RedisBinary.available();
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aClusterServesEverySlotByItsMaster(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.startWithReplicas(binary)) {
      for (int i = 0; i < 100; i++) {
        String key = "key" + i;
        assertThat(cluster.masterOf(key).command("SET", key, "1")).isEqualTo("OK");
      }
      assertThat(cluster.masters())
          .allSatisfy(master -> assertThat((Long) master.command("DBSIZE")).isPositive());
      assertThat(cluster.replicas()).hasSize(3);
      assertThat(cluster.url().split(",", -1)).hasSize(6);
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void sentinelsReplaceAMasterThatDiesOrIsTakenDown(RedisBinary binary) {
    try (RedisSentinelGroup group = RedisSentinelGroup.start(binary)) {
      RedisServer first = group.master();
      group.switchMaster();
      RedisServer second = group.master();
      assertThat(second.port()).isNotEqualTo(first.port());
      group.failOver();
      RedisServer third = group.master();
      assertThat(third.port()).isNotEqualTo(second.port());
      assertThat(third.command("SET", "key", "1")).isEqualTo("OK");
    }
  }
}
