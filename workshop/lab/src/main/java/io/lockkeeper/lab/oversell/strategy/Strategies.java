package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.oversell.strategy.CachedStock.Keys;
import io.lockkeeper.lab.oversell.strategy.RedisRung.Step;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All strategies, in the order in which a contest runs them. */
public final class Strategies {

  private static final Strategy ONE_JVM = new JvmLock();
  private static final Strategy WATCH = new RedisWatch();

  private static final List<Strategy> ALL =
      List.of(
          new NoLock(),
          new RedisRung(Step.SCRIPT),
          WATCH,
          new SqlOneStatement(),
          new SqlForUpdate(),
          new SqlVersion(),
          new ZooKeeperVersion(),
          KeeperLock.mutex(),
          KeeperLock.fair(),
          ONE_JVM);

  /** Those of the scenes alone: what people write themselves, step by step, and other libraries. */
  private static final List<Strategy> OF_SCENES =
      List.of(
          new RedisRung(Step.EXISTS),
          new RedisRung(Step.SETNX),
          new RedisRung(Step.EXPIRY),
          new RedisRung(Step.OWNER),
          new RedisRung(Step.HASH),
          new RedisRung(Step.RENEWAL),
          new SqlPair(false),
          new SqlPair(true),
          new SqlRows(false),
          new SqlRows(true),
          new SqlLockTable(),
          new ZooKeeperNode(false),
          new ZooKeeperNode(true),
          new CuratorLock(),
          new RedissonLock(false),
          new RedissonLock(true),
          new CachedStock(false, Keys.HOT),
          new CachedStock(true, Keys.HOT),
          new CachedStock(false, Keys.MISSING),
          new CachedStock(true, Keys.MISSING),
          new CachedStock(false, Keys.MANY),
          new CachedStock(true, Keys.MANY),
          KeeperLock.fenced());

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

  /** Returns the one of this name, those of the scenes included. */
  public static Optional<Strategy> ofScene(String name) {
    return Stream.concat(ALL.stream(), OF_SCENES.stream())
        .filter(strategy -> strategy.name().equals(name))
        .findFirst();
  }

  /** Returns the one of this name, upper and lower case being the same. */
  public static Optional<Strategy> find(String name) {
    return ALL.stream().filter(strategy -> strategy.name().equalsIgnoreCase(name)).findFirst();
  }
}
