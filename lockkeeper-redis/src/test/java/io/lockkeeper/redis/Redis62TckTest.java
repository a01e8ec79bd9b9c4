package io.lockkeeper.redis;

import io.lockkeeper.servers.RedisBinary;

/** The test kit on the oldest version supported. */
class Redis62TckTest extends RedisTck {

  @Override
  RedisBinary binary() {
    return Binaries.oldest();
  }
}
