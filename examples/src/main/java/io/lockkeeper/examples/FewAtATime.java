package io.lockkeeper.examples;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets no more than three of ten workers, wherever they run, use a slow service at a time. */
public final class FewAtATime {

  private static final String DEFAULT_URL = "memory:few-at-a-time";
  private static final int WORKERS = 10;

  private FewAtATime() {}

  /** A service that counts who uses it at the same time. */
  static final class Service {

    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    void use() {
      most.accumulateAndGet(users.incrementAndGet(), Math::max);
      users.decrementAndGet();
    }

    int most() {
      return most.get();
    }
  }

  /**
   * Runs it.
   *
   * @param args the store's URL; by default the memory of this process
   */
  public static void main(String[] args) throws InterruptedException, ExecutionException {
    Service service = new Service();
    run(args.length == 0 ? DEFAULT_URL : args[0], service);
    System.out.println("at most " + service.most() + " at a time");
  }

  static void run(String url, Service service) throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      DistributedSemaphore permits = keeper.semaphore("slow-service", 3);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        all.add(threads.submit(() -> use(permits, service)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  private static boolean use(DistributedSemaphore permits, Service service)
      throws InterruptedException {
    try (PermitLease permit = permits.acquire()) { // comes back by itself if this process dies
      service.use();
      return permit.isValid();
    }
  }
}
