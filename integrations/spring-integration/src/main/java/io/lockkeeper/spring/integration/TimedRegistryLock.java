package io.lockkeeper.spring.integration;

import io.lockkeeper.DistributedLock;

/**
 * A lock as Spring Integration knows it from version 7 on. Nothing else names its interface, so
 * that the registry works on version 6 too.
 */
final class TimedRegistryLock extends RegistryLock
    implements org.springframework.integration.support.locks.DistributedLock {

  private TimedRegistryLock(DistributedLock lock) {
    super(lock);
  }

  static RegistryLock of(DistributedLock lock) {
    return new TimedRegistryLock(lock);
  }
}
