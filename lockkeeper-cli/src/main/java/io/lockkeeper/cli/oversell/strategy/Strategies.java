package io.lockkeeper.cli.oversell.strategy;

import java.util.List;
import java.util.Optional;

/** All strategies, in the order in which a contest runs them. */
public final class Strategies {

  private static final Strategy ONE_JVM = new JvmLock();

  private static final List<Strategy> ALL =
      List.of(new NoLock(), new SetNxLock(), KeeperLock.mutex(), KeeperLock.fair(), ONE_JVM);

  private Strategies() {}

  /** Returns all. */
  public static List<Strategy> all() {
    return ALL;
  }

  /** Returns those that run unless others are asked for: all but the one that needs one JVM. */
  public static List<Strategy> usual() {
    return ALL.stream().filter(strategy -> strategy != ONE_JVM).toList();
  }

  /** Returns the one of this name, upper and lower case being the same. */
  public static Optional<Strategy> find(String name) {
    return ALL.stream().filter(strategy -> strategy.name().equalsIgnoreCase(name)).findFirst();
  }
}
