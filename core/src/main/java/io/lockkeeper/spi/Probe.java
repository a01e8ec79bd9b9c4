package io.lockkeeper.spi;

/** Receives the transitions of an engine: for simulations that count which of them they reached. */
@FunctionalInterface
public interface Probe {

  /** A probe that does nothing. */
  Probe NONE = transition -> {};

  /**
   * Called at every named transition, on the thread that makes it and under the engine's locks. An
   * implementation may count it and must do nothing else.
   *
   * @param transition a constant of the engine's own; its declaring class has all of them
   */
  void reached(Enum<?> transition);

  /**
   * Called when user code or a part of the engine threw something that the engine caught. Does
   * nothing by default; the failure has been logged.
   *
   * @param what the name of what failed
   * @param failure what it threw
   */
  default void failed(String what, Throwable failure) {}
}
