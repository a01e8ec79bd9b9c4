package io.lockkeeper.bench.locks;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A kind of lock or other synchronizer that takes part. */
public enum Contender {
  LOCKKEEPER_LOCK(Library.LOCKKEEPER, Sort.LOCK, "Lockkeeper lock"),
  REDISSON_LOCK(Library.REDISSON, Sort.LOCK, "Redisson lock"),
  /** It is never passed on inside a client. */
  LOCKKEEPER_EACH(Library.LOCKKEEPER, Sort.LOCK, "Lockkeeper lock, each to the store"),
  LOCKKEEPER_FAIR(Library.LOCKKEEPER, Sort.LOCK, "Lockkeeper fairLock"),
  REDISSON_FAIR(Library.REDISSON, Sort.LOCK, "Redisson fair lock"),
  CURATOR_MUTEX(Library.CURATOR, Sort.LOCK, "Curator InterProcessMutex"),
  JETCD_LOCK(Library.JETCD, Sort.LOCK, "jetcd Lock"),
  SPRING_REGISTRY(Library.SPRING_INTEGRATION, Sort.LOCK, "Spring Integration lock"),
  /** It never waits by itself; here it asks again every 40 ms. */
  SHEDLOCK(Library.SHEDLOCK, Sort.LOCK, "ShedLock"),
  /** The floor: no queue, no renewal, no re-entrancy; it asks again every 1 ms. */
  FLOOR(Library.FLOOR, Sort.SERVICE, "driver alone"),
  SPRING_REDIS(Library.SPRING_INTEGRATION, Sort.SERVICE, "Spring Integration lock on Redis"),
  /** The reference: one process, no store. */
  REENTRANT_LOCK(Library.JDK, Sort.LOCK, "ReentrantLock"),
  LOCKKEEPER_IDLE(Library.LOCKKEEPER, Sort.IDLE_LOCK, "Lockkeeper lock, idle lease"),
  /** Each hold is asked for its token, as with the write lock and the semaphore. */
  LOCKKEEPER_READ_EACH(
      Library.LOCKKEEPER, Sort.READ_LOCK, "Lockkeeper read lock, each to the store"),
  REDISSON_READ(Library.REDISSON, Sort.READ_LOCK, "Redisson read lock"),
  CURATOR_READ(Library.CURATOR, Sort.READ_LOCK, "Curator read lock"),
  LOCKKEEPER_WRITE_EACH(
      Library.LOCKKEEPER, Sort.WRITE_LOCK, "Lockkeeper write lock, each to the store"),
  REDISSON_WRITE(Library.REDISSON, Sort.WRITE_LOCK, "Redisson write lock"),
  CURATOR_WRITE(Library.CURATOR, Sort.WRITE_LOCK, "Curator write lock"),
  LOCKKEEPER_SEMAPHORE_EACH(
      Library.LOCKKEEPER, Sort.SEMAPHORE, "Lockkeeper semaphore, each to the store"),
  /** Its permits have no lease: those of a dead process are gone. */
  REDISSON_SEMAPHORE(Library.REDISSON, Sort.SEMAPHORE, "Redisson semaphore"),
  REDISSON_EXPIRABLE(Library.REDISSON, Sort.SEMAPHORE, "Redisson expirable"),
  CURATOR_SEMAPHORE(Library.CURATOR, Sort.SEMAPHORE, "Curator SemaphoreV2"),
  LOCKKEEPER_COUNTER(Library.LOCKKEEPER, Sort.COUNTER, "Lockkeeper counter"),
  REDISSON_COUNTER(Library.REDISSON, Sort.COUNTER, "Redisson atomic long"),
  LOCKKEEPER_LATCH(Library.LOCKKEEPER, Sort.LATCH, "Lockkeeper latch"),
  REDISSON_LATCH(Library.REDISSON, Sort.LATCH, "Redisson latch"),
  LOCKKEEPER_MULTI(Library.LOCKKEEPER, Sort.MULTI_LOCK, "Lockkeeper multi-lock"),
  REDISSON_MULTI(Library.REDISSON, Sort.MULTI_LOCK, "Redisson multi-lock");

  private static final Set<Sort> ON_ZOOKEEPER =
      EnumSet.of(Sort.LOCK, Sort.READ_LOCK, Sort.WRITE_LOCK, Sort.SEMAPHORE);

  private final Library product;
  private final Sort sort;
  private final String label;

  Contender(Library product, Sort sort, String label) {
    this.product = product;
    this.sort = sort;
    this.label = label;
  }

  public Library product() {
    return product;
  }

  public Sort sort() {
    return sort;
  }

  public String label() {
    return label;
  }

  /** Returns whether it can take part at this kind of server. */
  public boolean isAt(Site site) {
    return switch (product) {
      case LOCKKEEPER ->
          switch (site) {
            case REDIS -> true;
            case ZOOKEEPER -> ON_ZOOKEEPER.contains(sort);
            case POSTGRESQL, MARIADB, ETCD -> sort == Sort.LOCK;
          };
      case REDISSON -> site == Site.REDIS;
      case CURATOR -> site == Site.ZOOKEEPER;
      case JETCD -> site == Site.ETCD;
      case SPRING_INTEGRATION, SHEDLOCK ->
          this == SPRING_REDIS
              ? site == Site.REDIS
              : site == Site.POSTGRESQL || site == Site.MARIADB;
      case FLOOR, JDK -> true;
    };
  }

  /** Returns the rivals of this one that take part; empty for the rivals themselves. */
  public List<Contender> rivals() {
    return switch (this) {
      case LOCKKEEPER_LOCK, LOCKKEEPER_EACH ->
          List.of(REDISSON_LOCK, CURATOR_MUTEX, JETCD_LOCK, SPRING_REGISTRY);
      case LOCKKEEPER_IDLE -> List.of(REDISSON_LOCK);
      case LOCKKEEPER_FAIR -> List.of(REDISSON_FAIR, CURATOR_MUTEX, JETCD_LOCK, SPRING_REGISTRY);
      case LOCKKEEPER_READ_EACH -> List.of(REDISSON_READ, CURATOR_READ);
      case LOCKKEEPER_WRITE_EACH -> List.of(REDISSON_WRITE, CURATOR_WRITE);
      case LOCKKEEPER_SEMAPHORE_EACH ->
          List.of(REDISSON_EXPIRABLE, REDISSON_SEMAPHORE, CURATOR_SEMAPHORE);
      case LOCKKEEPER_COUNTER -> List.of(REDISSON_COUNTER);
      case LOCKKEEPER_LATCH -> List.of(REDISSON_LATCH);
      case LOCKKEEPER_MULTI -> List.of(REDISSON_MULTI);
      default -> List.of();
    };
  }
}
