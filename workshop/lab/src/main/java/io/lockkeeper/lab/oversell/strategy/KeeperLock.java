package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.lab.oversell.shop.Shops;
import io.lockkeeper.lab.oversell.shop.Till;
import java.util.List;
import java.util.Set;

/** Lockkeeper's own locks, through the public API and with default settings. */
final class KeeperLock implements GuardStrategy {

  private final String name;
  private final String summary;
  private final boolean fair;
  private final boolean fenced;

  private KeeperLock(String name, String summary, boolean fair, boolean fenced) {
    this.name = name;
    this.summary = summary;
    this.fair = fair;
    this.fenced = fenced;
  }

  static KeeperLock mutex() {
    return new KeeperLock("lock", "Lockkeeper's lock()", false, false);
  }

  static KeeperLock fair() {
    return new KeeperLock(
        "fairLock", "Lockkeeper's fairLock(), first come, first served", true, false);
  }

  static KeeperLock fenced() {
    return new KeeperLock("lockFenced", "lock(), and writes with its token", false, true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String summary() {
    return summary;
  }

  @Override
  public Scope scope() {
    return Scope.ALL_PROCESSES;
  }

  @Override
  public boolean keepsOrderOfArrival() {
    return fair;
  }

  @Override
  public Set<String> sentCommands() {
    return Set.of("eval", "evalsha", "script", "script|load");
  }

  @Override
  public Till till(String stockUrl) {
    return fenced ? Shops.openFencedTill(stockUrl) : Shops.openTill(stockUrl);
  }

  @Override
  public Guards guards(GuardContext context) {
    GrantLog log = new GrantLog();
    LockkeeperBuilder builder =
        Lockkeeper.builder()
            .namespace("lockkeeper-oversell")
            .clientName("oversell worker " + context.worker())
            .lease(context.lease());
    if (fair) {
      builder.listener(log);
    }
    Lockkeeper keeper = builder.connect(context.storeUrl());
    return new Guards() {
      @Override
      public Guard guard(String lockName) {
        return new Door(fair ? keeper.fairLock(lockName) : keeper.lock(lockName), fair, log);
      }

      @Override
      public void close() {
        keeper.close();
      }
    };
  }

  private record Door(DistributedLock lock, boolean fair, GrantLog log) implements Guard {

    @Override
    public long enter() {
      lock.lock();
      return lock.token();
    }

    @Override
    public void exit() {
      lock.unlock();
    }

    @Override
    public List<Grant> grants(int expected) throws InterruptedException {
      return fair ? log.await(lock.name(), expected) : List.of();
    }
  }
}
