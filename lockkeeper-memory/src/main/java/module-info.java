/** A store inside one process. */
module io.lockkeeper.memory {
  requires static transitive org.jspecify;
  requires transitive io.lockkeeper.core;
}
