package io.lockkeeper.lab.oversell.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import org.junit.jupiter.api.Test;

class RedisAddressTest {

  @Test
  void parametersOfLockkeepersOwnCallsAreLeftOut() {
    RedisURI uri = RedisAddress.parse("redis://:secret@host:7000/3?timeout=3s&replicas=1");

    assertThat(uri.getHost()).isEqualTo("host");
    assertThat(uri.getPort()).isEqualTo(7000);
    assertThat(uri.getDatabase()).isEqualTo(3);
  }

  @Test
  void theMasterOfSentinelsIsAParameterOrAFragment() {
    for (String url :
        new String[] {
          "redis-sentinel://h1:26379,h2:26380/2?timeout=3s&master=mymaster",
          "redis-sentinel://h1:26379,h2:26380/2#mymaster"
        }) {
      RedisURI uri = RedisAddress.parse(url);
      assertThat(uri.getSentinelMasterId()).isEqualTo("mymaster");
      assertThat(uri.getSentinels()).extracting(RedisURI::getPort).containsExactly(26379, 26380);
    }
  }

  @Test
  void tlsChecksAsMuchAsIsAskedFor() {
    assertThat(RedisAddress.parse("rediss://host").getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
    assertThat(RedisAddress.parse("rediss://host?timeout=3s&verifyPeer=ca").getVerifyMode())
        .isEqualTo(SslVerifyMode.CA);
    assertThat(RedisAddress.parse("rediss://host?verifyPeer=false").getVerifyMode())
        .isEqualTo(SslVerifyMode.NONE);
  }
}
