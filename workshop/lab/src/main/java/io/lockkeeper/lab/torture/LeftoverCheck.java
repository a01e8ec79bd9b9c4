package io.lockkeeper.lab.torture;

import java.util.List;

/** Looks into a store, past all that Lockkeeper says, for what is left when nobody is there. */
@FunctionalInterface
interface LeftoverCheck {

  /** For stores that cannot be looked into. */
  LeftoverCheck NONE = namespace -> List.of();

  /**
   * Returns what is there and should not be, a line each: all but what {@code docs/STORAGE.md} and
   * {@code docs/stores-sql.md} say stays, or stays for a while.
   *
   * @param namespace of the clients that were there
   * @throws RuntimeException if the store does not answer
   */
  List<String> of(String namespace);
}
