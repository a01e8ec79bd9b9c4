package io.lockkeeper.bench.worker;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.ContestedLock;
import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.locks.LockClient;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of a worker process: one library's clients, and the contest, service or crowd under
 * way.
 */
public final class Worker {

  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Library product;
  private final String redisUrl;
  private final int threadsAtStart = Crowd.liveThreads();
  private final List<LockClient> clients = new ArrayList<>();
  private @Nullable Stock stock;
  private @Nullable Contest contest;
  private @Nullable Service service;
  private @Nullable Crowd crowd;
  private @Nullable ContestedLock held;

  Worker(Library product, String redisUrl) {
    this.product = product;
    this.redisUrl = redisUrl;
  }

  Reply connect() throws Exception {
    clients(1);
    return new Reply.Connected(System.nanoTime());
  }

  Reply prepare(ContestSpec spec) throws Exception {
    contest = new Contest(spec, clients(spec.clients()), inside(spec), around(spec));
    return new Reply.Done();
  }

  /** Returns so many clients, after having connected or closed some. */
  private List<LockClient> clients(int count) throws Exception {
    while (clients.size() < count) {
      clients.add(product.connect(redisUrl));
    }
    while (clients.size() > count) {
      clients.remove(clients.size() - 1).close();
    }
    return List.copyOf(clients);
  }

  private Runnable inside(ContestSpec spec) {
    if (spec.work() != Work.ORDER) {
      return () -> {};
    }
    Stock orders = stock();
    String key = spec.stockKey();
    return () -> orders.order(key);
  }

  private @Nullable Runnable around(ContestSpec spec) {
    if (spec.work() != Work.AROUND) {
      return null;
    }
    Stock orders = stock();
    String key = spec.stockKey();
    return () -> orders.look(key);
  }

  private Stock stock() {
    Stock current = stock;
    if (current == null) {
      current = new Stock(redisUrl);
      stock = current;
    }
    return current;
  }

  Reply run(long startNanos, long endNanos) throws InterruptedException {
    return required(contest, "contest").run(startNanos, endNanos);
  }

  Reply employ(ServiceSpec spec) throws Exception {
    service = new Service(spec, clients(spec.clients().size()));
    return new Reply.Done();
  }

  Reply serve(long startNanos, long endNanos) throws InterruptedException {
    return required(service, "service").run(startNanos, endNanos);
  }

  Reply idle(Contender contender, int count, long nanos) throws Exception {
    List<LockClient> idle = clients(count);
    for (int i = 0; i < count; i++) {
      ContestedLock lock = idle.get(i).lock(contender, "idle:" + contender + ":" + i);
      lock.lock();
      lock.unlock();
    }
    Sleep.nanos(SETTLE_NANOS);
    long heapBytes = Crowd.usedHeapBytes();
    Meter meter = new Meter();
    Sleep.nanos(nanos);
    return new Reply.Idled(Crowd.liveThreads(), heapBytes, meter.read());
  }

  Reply handOver(Contender contender, String name, int times) throws Exception {
    List<LockClient> both = clients(2);
    ContestedLock here = both.get(0).lock(contender, name);
    ContestedLock there = both.get(1).lock(contender, name);
    boolean idle = contender.sort() == Sort.IDLE_LOCK;
    return new Reply.HandedOver(Histograms.encode(new HandOver(idle).run(here, there, times)));
  }

  Reply hold(Contender contender, String name) {
    ContestedLock lock = client().lock(contender, name);
    lock.lock();
    held = lock;
    return new Reply.Done();
  }

  Reply unhold() {
    required(held, "lock").unlock();
    held = null;
    return new Reply.Done();
  }

  Reply crowd(Contender contender, String name, int threads) {
    Crowd gathered = new Crowd(client(), contender, name, threads, threadsAtStart);
    crowd = gathered;
    return gathered.gather();
  }

  Reply drain(long limitMillis) throws InterruptedException {
    return required(crowd, "crowd").drain(limitMillis);
  }

  void close() throws Exception {
    for (LockClient client : clients) {
      client.close();
    }
    if (stock != null) {
      stock.close();
    }
  }

  private LockClient client() {
    return clients.get(0);
  }

  private static <T> T required(@Nullable T part, String what) {
    if (part == null) {
      throw new IllegalStateException("there is no " + what);
    }
    return part;
  }
}
