package io.lockkeeper.redis;

import io.lockkeeper.servers.RedisBinary;

class Redis62TckTest extends RedisTck {

  @Override
  RedisBinary binary() {
    return Binaries.oldest();
  }
}
