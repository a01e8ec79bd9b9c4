package io.lockkeeper.spi;

/** Hears which transitions an engine goes through: for simulations that count what they reached. */
@FunctionalInterface
public interface Probe {

  /** A probe that nobody reads. */
  Probe NONE = transition -> {};

  /**
   * Called at every transition that has a name, on the thread that makes it and under the engine's
   * locks: to be counted and left alone.
   *
   * @param transition a constant of the engine's own; its declaring class has all of them
   */
  void reached(Enum<?> transition);

  /**
   * Called when something has thrown and was kept from doing harm: user code, or a part of the
   * engine. By default nothing; it has been logged.
   *
   * @param what what failed
   * @param failure what it threw
   */
  default void failed(String what, Throwable failure) {}
}
