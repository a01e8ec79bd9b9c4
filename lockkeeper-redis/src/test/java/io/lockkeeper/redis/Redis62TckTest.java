package io.lockkeeper.redis;

import io.lockkeeper.servers.RedisBinary;
import org.junit.jupiter.api.Tag;

/**
 * The test kit on the oldest version. In the default build it runs on the newest one only, because
 * most of it is real waiting; what differs between the versions (scripts, their errors, commands)
 * is tested on both there.
 */
@Tag("slow")
class Redis62TckTest extends RedisTck {

  @Override
  RedisBinary binary() {
    return Binaries.oldest();
  }
}
