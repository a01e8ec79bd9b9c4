package io.lockkeeper.redis;

import io.lockkeeper.servers.RedisBinary;

class Redis70TckTest extends RedisTck {

  @Override
  RedisBinary binary() {
    return Binaries.newest();
  }
}
