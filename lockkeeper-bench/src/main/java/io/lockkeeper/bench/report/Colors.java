package io.lockkeeper.bench.report;

import io.lockkeeper.bench.locks.Contender;

/** The colours of the contenders: of one family per library, and apart for the colour-blind. */
final class Colors {

  private Colors() {}

  static String of(Contender contender) {
    return switch (contender) {
      case LOCKKEEPER_LOCK,
          LOCKKEEPER_READ,
          LOCKKEEPER_WRITE,
          LOCKKEEPER_SEMAPHORE,
          LOCKKEEPER_COUNTER,
          LOCKKEEPER_LATCH,
          LOCKKEEPER_MULTI ->
          "#0072b2";
      case LOCKKEEPER_EACH,
          LOCKKEEPER_READ_EACH,
          LOCKKEEPER_WRITE_EACH,
          LOCKKEEPER_SEMAPHORE_EACH ->
          "#44aa99";
      case LOCKKEEPER_IDLE -> "#009e73";
      case LOCKKEEPER_METERED -> "#117733";
      case LOCKKEEPER_FAIR -> "#56b4e9";
      case REDISSON_LOCK,
          CURATOR_MUTEX,
          JETCD_LOCK,
          SPRING_REGISTRY,
          REDISSON_READ,
          CURATOR_READ,
          CURATOR_WRITE,
          CURATOR_SEMAPHORE,
          REDISSON_WRITE,
          REDISSON_SEMAPHORE,
          REDISSON_COUNTER,
          REDISSON_LATCH,
          REDISSON_MULTI ->
          "#d55e00";
      case REDISSON_FAIR, REDISSON_EXPIRABLE -> "#e69f00";
      case REDISSON_SPIN, SHEDLOCK -> "#cc79a7";
      case REDISSON_FENCED -> "#8c6d31";
      case REENTRANT_LOCK, FLOOR, SPRING_REDIS -> "#555555";
    };
  }
}
