package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.StoreKind;
import java.net.URI;
import java.util.EnumSet;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's mutex, one object per name. */
final class CuratorLock implements GuardStrategy {

  private static final int RETRY_MILLIS = 100;
  private static final int RETRIES = 3;

  @Override
  public String name() {
    return "curator";
  }

  @Override
  public String summary() {
    return "Curator's InterProcessMutex";
  }

  @Override
  public Scope scope() {
    return Scope.ALL_PROCESSES;
  }

  @Override
  public Set<StoreKind> stores() {
    return EnumSet.of(StoreKind.ZOOKEEPER);
  }

  @Override
  public Guards guards(GuardContext context) {
    CuratorFramework curator =
        CuratorFrameworkFactory.newClient(
            URI.create(context.storeUrl()).getAuthority(),
            new ExponentialBackoffRetry(RETRY_MILLIS, RETRIES));
    curator.start();
    return new Guards() {
      @Override
      public Guard guard(String name) {
        return new Door(new InterProcessMutex(curator, "/lab-curator-" + name));
      }

      @Override
      public void close() {
        curator.close();
      }
    };
  }

  private record Door(InterProcessMutex mutex) implements Guard {

    @Override
    public long enter() throws InterruptedException {
      try {
        mutex.acquire();
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      return NO_TOKEN;
    }

    @Override
    public void exit() {
      try {
        mutex.release();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
