package io.lockkeeper.lab.oversell;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;

/** Lockkeeper's own locks, through the public API and with default settings. */
record KeeperLock(DistributedLock lock) implements Guard {

  static Guards guards(GuardContext context, boolean fair) {
    Lockkeeper keeper =
        Lockkeeper.builder()
            .namespace("lockkeeper-oversell")
            .clientName("instance " + context.worker())
            .lease(context.lease())
            .connect(context.storeUrl());
    return new Guards(
        name -> new KeeperLock(fair ? keeper.fairLock(name) : keeper.lock(name)), keeper::close);
  }

  @Override
  public long enter() {
    lock.lock();
    return lock.token();
  }

  @Override
  public void exit() {
    lock.unlock();
  }
}
