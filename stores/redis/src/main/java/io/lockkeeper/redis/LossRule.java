package io.lockkeeper.redis;

import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;

/**
 * The setting for locks after a server has lost its memory.
 *
 * @param afterLoss the choice
 * @param quarantine for how long after its start a server waits for clients from before, half of it
 *     at least: with {@link AfterLoss#ASK}
 * @param setting how to choose, for messages
 */
record LossRule(AfterLoss afterLoss, Duration quarantine, String setting) {

  static final Duration QUARANTINE = Duration.ofSeconds(2);

  static final LossRule OF_URLS =
      new LossRule(
          AfterLoss.ASK,
          QUARANTINE,
          "afterLoss=grant in the URL (with Spring Boot lockkeeper.redis.after-loss=grant)");

  static final LossRule OF_CLIENTS =
      new LossRule(
          AfterLoss.ASK,
          QUARANTINE,
          "afterLoss=grant (RedisStores.withAfterLoss; with Spring Boot"
              + " lockkeeper.redis.after-loss=grant)");

  LossRule with(AfterLoss choice) {
    return new LossRule(choice, quarantine, setting);
  }

  LossRule with(Duration limit) {
    if (limit.toMillis() < 1) {
      throw new IllegalArgumentException(
          "quarantine must be at least a millisecond, was " + DurationText.of(limit));
    }
    return new LossRule(afterLoss, limit, setting);
  }

  boolean grantsAtOnce() {
    return afterLoss == AfterLoss.GRANT;
  }

  /** Returns the window of the script {@code settle}. */
  long windowMillis() {
    return afterLoss == AfterLoss.ASK ? quarantine.toMillis() : 0;
  }

  /** Returns what to do where nothing can be held from before. */
  String advice() {
    return "In tests only, set " + setting;
  }
}
