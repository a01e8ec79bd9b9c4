package io.lockkeeper.bench.locks;

/** One client of one library: its connections and threads, shared by all locks of a process. */
public interface LockClient extends AutoCloseable {

  ContestedLock lock(Contender contender, String name);

  @Override
  void close();
}
