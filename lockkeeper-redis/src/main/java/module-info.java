/** A store on Redis, through the Lettuce driver. */
module io.lockkeeper.redis {
  requires static transitive org.jspecify;
  requires transitive io.lockkeeper.core;
  requires transitive lettuce.core;
}
