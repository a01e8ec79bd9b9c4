package io.lockkeeper.lab.oversell.strategy;

/** A strategy at work in one process: its connections, shared by all threads. */
public interface Guards extends AutoCloseable {

  /** Returns the guard of this name, the same in all processes. */
  Guard guard(String name);

  @Override
  void close();
}
