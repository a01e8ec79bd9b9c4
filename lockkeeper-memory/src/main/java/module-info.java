/** A store inside one process. */
module io.lockkeeper.memory {
  requires static org.jspecify;
  requires transitive io.lockkeeper.core;
}
