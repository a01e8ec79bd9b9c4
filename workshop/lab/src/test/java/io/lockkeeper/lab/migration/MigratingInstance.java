package io.lockkeeper.lab.migration;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MigratingLock;
import io.lockkeeper.testkit.process.TalkingProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * An instance of an application that moves from one lock to another, in a process of its own. Its
 * threads take turns with those of the other instances at a file that one at a time may create.
 */
final class MigratingInstance {

  /** Which locks it has. */
  enum Generation {
    OLD,
    BOTH,
    NEW
  }

  private static final int THREADS = 2;
  private static final Duration BETWEEN_TURNS = Duration.ofMillis(1);

  private final Lock lock;
  private final Path inside;
  private final AtomicInteger turns = new AtomicInteger();
  private volatile boolean ends;

  private MigratingInstance(Lock lock, Path inside) {
    this.lock = lock;
    this.inside = inside;
  }

  // The guide shows the bodies of these two.

  static Lock fromRedisson(RedissonClient redisson, Lockkeeper keeper) {
    Lock lock = new MigratingLock(redisson.getLock("stock"), keeper.lock("stock"));
    return lock;
  }

  static Lock fromCurator(CuratorFramework curator, Lockkeeper keeper) {
    InterProcessMutex mutex = new InterProcessMutex(curator, "/locks/stock");
    Lock lock = new MigratingLock(new CuratorLock(mutex), keeper.lock("stock"));
    return lock;
  }

  // ------------------------------------------------------------- in the process itself

  /** Arguments: the generation, the URL of the store of both locks, the file. */
  public static void main(String[] arguments) throws Exception {
    Generation generation = Generation.valueOf(arguments[0]);
    String url = arguments[1];
    Path file = Path.of(arguments[2]);
    if (url.startsWith("redis")) {
      Config config = new Config();
      config.useSingleServer().setAddress(url);
      RedissonClient redisson = Redisson.create(config);
      try (Lockkeeper keeper = Lockkeeper.connect(url + "?afterLoss=grant")) {
        DistributedLock lock = keeper.lock("stock");
        new MigratingInstance(
                switch (generation) {
                  case OLD -> redisson.getLock("stock");
                  case BOTH -> fromRedisson(redisson, keeper);
                  case NEW -> lock;
                },
                file)
            .work();
      }
      redisson.shutdown();
    } else {
      try (CuratorFramework curator =
              CuratorFrameworkFactory.newClient(
                  URI.create(url).getAuthority(), new ExponentialBackoffRetry(100, 3));
          Lockkeeper keeper = Lockkeeper.connect(url)) {
        curator.start();
        new MigratingInstance(
                switch (generation) {
                  case OLD -> new CuratorLock(new InterProcessMutex(curator, "/locks/stock"));
                  case BOTH -> fromCurator(curator, keeper);
                  case NEW -> keeper.lock("stock");
                },
                file)
            .work();
      }
    }
    TalkingProcess.say("ended");
  }

  private void work() throws Exception {
    TalkingProcess.say("ready");
    TalkingProcess.awaitWord();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(this::takeTurns);
      thread.setUncaughtExceptionHandler(
          (t, failure) -> {
            failure.printStackTrace();
            TalkingProcess.say("broken " + failure);
          });
      thread.start();
      threads.add(thread);
    }
    TalkingProcess.awaitWord();
    ends = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void takeTurns() {
    while (!ends) {
      lock.lock();
      try {
        Files.createFile(inside);
        LockSupport.parkNanos(BETWEEN_TURNS.toNanos());
        Files.delete(inside);
        TalkingProcess.say("turn " + turns.incrementAndGet());
      } catch (FileAlreadyExistsException e) {
        throw new IllegalStateException("two are inside", e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        lock.unlock();
      }
      LockSupport.parkNanos(BETWEEN_TURNS.toNanos());
    }
  }
}
