package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.StoreKind;
import java.util.List;
import java.util.Optional;

/** All strategies, in the order in which a contest runs them. */
public final class Strategies {

  private static final Strategy ONE_JVM = new JvmLock();
  private static final Strategy WATCH = new RedisWatch();

  private static final List<Strategy> ALL =
      List.of(
          new NoLock(),
          new SetNxLock(),
          WATCH,
          new SqlOneStatement(),
          new SqlForUpdate(),
          new SqlVersion(),
          new ZooKeeperVersion(),
          KeeperLock.mutex(),
          KeeperLock.fair(),
          ONE_JVM);

  private Strategies() {}

  /** Returns all. */
  public static List<Strategy> all() {
    return ALL;
  }

  /** Returns those that run in a store of this kind. */
  public static List<Strategy> all(StoreKind kind) {
    return ALL.stream().filter(strategy -> strategy.stores().contains(kind)).toList();
  }

  /**
   * Returns those that run unless others are asked for: all but the one that needs one JVM, and, in
   * the short contest on one Redis, only locks.
   *
   * @param everyStore whether this is one store of several
   */
  public static List<Strategy> usual(StoreKind kind, boolean everyStore) {
    return all(kind).stream()
        .filter(strategy -> strategy != ONE_JVM)
        .filter(strategy -> strategy != WATCH || everyStore)
        .toList();
  }

  /** Returns the one of this name, upper and lower case being the same. */
  public static Optional<Strategy> find(String name) {
    return ALL.stream().filter(strategy -> strategy.name().equalsIgnoreCase(name)).findFirst();
  }
}
