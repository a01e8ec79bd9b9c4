package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.StoreKind;
import java.util.EnumSet;
import java.util.Set;

/**
 * One way to keep orders from getting in each other's way: a row of the contest's table. Stateless;
 * {@link #open} makes what a worker process needs.
 */
public interface Strategy {

  /** Returns its name on the command line and in the reports. */
  String name();

  /** Returns what it is, in a few words for the reports. */
  String summary();

  /** Returns the scope in which it promises exclusion. */
  Scope scope();

  /** Returns the stores that it runs in. */
  default Set<StoreKind> stores() {
    return EnumSet.allOf(StoreKind.class);
  }

  /** Returns whether it promises to serve orders in their order of arrival at the store. */
  default boolean keepsOrderOfArrival() {
    return false;
  }

  /**
   * Returns the commands that its clients send to a Redis store, in lower case. The store also
   * counts the commands that scripts run inside it; this set tells the two apart.
   */
  default Set<String> sentCommands() {
    return Set.of();
  }

  /** Opens it in a worker process. */
  Sellers open(GuardContext context);

  /** The scope in which a strategy promises exclusion. */
  enum Scope {
    /** Nobody: it shows what happens without. */
    NOBODY,
    /** The threads of one process; it runs in one process only. */
    ONE_PROCESS,
    /** All threads of all processes. */
    ALL_PROCESSES,
    /** Nobody is kept out: the store itself finds or prevents the conflict. */
    THE_STORE
  }
}
