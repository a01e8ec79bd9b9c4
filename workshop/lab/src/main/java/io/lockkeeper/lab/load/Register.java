package io.lockkeeper.lab.load;

/** A guarded system: for each resource it remembers the largest token and refuses smaller ones. */
@FunctionalInterface
public interface Register {

  /**
   * Writes, and has that taken down.
   *
   * @param actor who writes
   * @param call the number of the actor's request whose holding this is
   * @return whether the write was taken
   * @throws RuntimeException if the register is out of reach
   */
  boolean write(String resource, String actor, long call, long token);
}
