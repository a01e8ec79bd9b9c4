package io.lockkeeper.zookeeper;

/**
 * This machine's wall clock. Records say by it since when something is held, for people on other
 * machines too; nothing is decided by it.
 */
final class WallClock {

  private WallClock() {}

  static long millis() {
    return System.currentTimeMillis();
  }
}
