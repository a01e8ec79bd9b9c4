/** A store on Redis, through the Lettuce driver. */
module io.lockkeeper.redis {
  requires transitive io.lockkeeper.core;
  requires transitive lettuce.core;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.resolver;
  requires io.netty.transport;
  requires static transitive org.jspecify;

  exports io.lockkeeper.redis;

  provides io.lockkeeper.spi.StoreProvider with
      io.lockkeeper.redis.RedisStoreProvider;
}
