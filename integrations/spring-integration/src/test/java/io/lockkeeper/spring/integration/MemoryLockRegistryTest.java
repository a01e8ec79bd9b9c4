package io.lockkeeper.spring.integration;

import org.junit.jupiter.api.Tag;

@Tag("versions")
class MemoryLockRegistryTest extends LockRegistryContract {

  @Override
  String url() {
    return "memory:lock-registry";
  }
}
