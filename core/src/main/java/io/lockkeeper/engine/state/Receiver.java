package io.lockkeeper.engine.state;

/**
 * Hears what became of a question. A state machine never calls it: it hands it to its effects,
 * which do so without any lock.
 *
 * @param <T> what is asked for
 */
public interface Receiver<T> {

  /** Takes the answer. */
  void receive(T answer);

  /** Takes the reason why there is none. */
  void fail(RuntimeException failure);
}
