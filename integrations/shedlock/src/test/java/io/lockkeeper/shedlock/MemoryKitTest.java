package io.lockkeeper.shedlock;

class MemoryKitTest extends ShedLockKit {

  @Override
  String url() {
    return "memory:shedlock-kit";
  }
}
