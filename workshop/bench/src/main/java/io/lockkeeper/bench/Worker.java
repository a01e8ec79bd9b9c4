package io.lockkeeper.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.ContestedLock;
import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.locks.LockClient;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.lab.process.ParentProcess;
import io.lockkeeper.lab.report.Histograms;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker process: one library's clients, and the contest under way. It reads commands as lines of
 * JSON from its input and writes a reply to each.
 */
public final class Worker {

  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Library product;
  private final String url;
  private final List<LockClient> clients = new ArrayList<>();
  private @Nullable Stock stock;
  private @Nullable Contest contest;

  private Worker(Library product, String url) {
    this.product = product;
    this.url = url;
  }

  /** Runs a worker; the arguments are the library and the URL of the server. */
  public static void main(String[] args) throws InterruptedException {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    ParentProcess parent = ParentProcess.listen(lines::add);
    Worker worker = new Worker(Library.valueOf(args[0]), args[1]);
    while (true) { // the process ends with its input
      Reply reply = worker.execute(Messages.read(lines.take(), Command.class));
      parent.say(Messages.write(reply, Reply.class));
    }
  }

  private Reply execute(Command command) {
    try {
      if (command instanceof Command.Prepare spec) {
        return prepare(spec);
      } else if (command instanceof Command.HandOver it) {
        return handOver(it.contender(), it.name(), it.times());
      } else if (command instanceof Command.Idle it) {
        return idle(it.contender(), it.clients(), it.nanos());
      }
      Command.Run it = (Command.Run) command;
      return Objects.requireNonNull(contest, "no contest").run(it.startNanos(), it.endNanos());
    } catch (Exception | LinkageError e) {
      // The worker's standard error is the log that the coordinator names when something failed.
      e.printStackTrace(System.err);
      return new Reply.Failed(e.toString().lines().findFirst().orElse(""));
    }
  }

  /** Returns so many clients, after having connected or closed some. */
  private List<LockClient> clients(int count) throws Exception {
    while (clients.size() < count) {
      clients.add(product.connect(url));
    }
    while (clients.size() > count) {
      clients.remove(clients.size() - 1).close();
    }
    return List.copyOf(clients);
  }

  private Reply prepare(Command.Prepare spec) throws Exception {
    contest = new Contest(spec, clients(spec.clients()), work(spec));
    return new Reply.Done();
  }

  private Runnable work(Command.Prepare spec) {
    if (spec.work() == Work.NONE) {
      long nanos = TimeUnit.MILLISECONDS.toNanos(spec.kind().holdMillis);
      return nanos == 0 ? () -> {} : () -> Sleep.nanos(nanos);
    }
    Stock orders = stock == null ? new Stock(url) : stock;
    stock = orders;
    String key = spec.stockKey();
    return () -> orders.order(key);
  }

  private Reply idle(Contender contender, int count, long nanos) throws Exception {
    List<LockClient> idle = clients(count);
    for (int i = 0; i < count; i++) {
      ContestedLock lock = idle.get(i).lock(contender, "idle:" + contender + ":" + i);
      lock.lock();
      lock.unlock();
    }
    Sleep.nanos(SETTLE_NANOS);
    long heapBytes = (long) ProcessUse.heapBytes();
    ProcessUse before = ProcessUse.here();
    Sleep.nanos(nanos);
    ProcessUse.Spent spent = ProcessUse.here().since(before);
    return new Reply.Idled(
        ManagementFactory.getThreadMXBean().getThreadCount(),
        heapBytes,
        spent.cpuNanos(),
        spent.switches());
  }

  private Reply handOver(Contender contender, String name, int times) throws Exception {
    List<LockClient> both = clients(2);
    ContestedLock here = both.get(0).lock(contender, name);
    ContestedLock there = both.get(1).lock(contender, name);
    boolean idle = contender.sort() == Sort.IDLE_LOCK;
    return new Reply.HandedOver(Histograms.encode(new HandOver(idle).run(here, there, times)));
  }

  /**
   * The stock that orders change: a number in Redis, reached over a connection of its own, so that
   * no contender's client does this work. An order reads it and writes it back one larger, in two
   * round trips; whatever is missing at the end was lost between two orders that overlapped.
   */
  static final class Stock implements AutoCloseable {

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisCommands<String, String> redis;

    Stock(String redisUrl) {
      client = RedisClient.create(redisUrl);
      connection = client.connect();
      redis = connection.sync();
    }

    void order(String key) {
      String before = redis.get(key);
      redis.set(key, Long.toString((before == null ? 0 : Long.parseLong(before)) + 1));
    }

    @Override
    public void close() {
      connection.close();
      client.shutdown();
    }
  }
}
