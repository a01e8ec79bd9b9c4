package io.lockkeeper.bench.simulated;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.lab.report.Histograms;
import io.lockkeeper.memory.MemoryServer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Many clients, each of which thinks, draws a lock, holds it for a while, and thinks again. */
final class Crowd {

  private final VirtualTime time = new VirtualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final Messages messages = new Messages();
  private final Histogram waits = Histograms.create();
  private final List<Lockkeeper> keepers = new ArrayList<>();
  private final Wish wish;
  private final long latencyNanos;
  private long acquisitions;
  private long done;

  /**
   * What they want.
   *
   * @param names how many locks there are
   * @param hotNames how many of these are wanted more than others
   * @param hotShare the part of all acquisitions that goes to those
   * @param isFair whether they are fair locks
   * @param times how often each client acquires one
   * @param thinkMillis how long a client thinks on average
   * @param holdMillis how long it holds a lock
   */
  record Wish(
      int names,
      int hotNames,
      double hotShare,
      boolean isFair,
      int times,
      int thinkMillis,
      int holdMillis) {}

  /**
   * Begins the clients; each has one connection.
   *
   * @param latencyMicros how long a message is on its way at least; some take twice as long
   */
  Crowd(int clients, Wish wish, int latencyMicros, long seed) {
    this.wish = wish;
    this.latencyNanos = TimeUnit.MICROSECONDS.toNanos(latencyMicros);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < clients; i++) {
      SplittableRandom own = random.split();
      SplittableRandom network = random.split();
      Lockkeeper keeper =
          Lockkeeper.builder()
              .clientName("client-" + i)
              .environment(time.environment(random.split()))
              .connect(
                  context ->
                      new VirtualLink(
                          time, network, latencyNanos, messages, server.factory().open(context)));
      keepers.add(keeper);
      new Caller(keeper, own).think();
    }
  }

  /** Lets time pass until all have had what they want; returns what it took. */
  Outcome run() {
    long wanted = (long) keepers.size() * wish.times();
    while (done < wanted) {
      if (!time.step(Long.MAX_VALUE)) {
        throw new IllegalStateException("nothing is going to happen, and somebody still waits");
      }
    }
    return new Outcome(
        wish,
        acquisitions,
        (double) messages.all() / acquisitions,
        requests(),
        (double) messages.pushes() / acquisitions,
        micros(waits.getValueAtPercentile(50)),
        micros(waits.getValueAtPercentile(99)),
        micros(waits.getMaxValue()));
  }

  private SortedMap<String, Double> requests() {
    SortedMap<String, Double> perAcquisition = new TreeMap<>();
    messages
        .requests()
        .forEach((kind, count) -> perAcquisition.put(kind, (double) count / acquisitions));
    return perAcquisition;
  }

  private static double micros(long nanos) {
    return nanos / 1e3;
  }

  /** The one thread of a client. */
  private final class Caller {

    private final Lockkeeper keeper;
    private final SplittableRandom random;
    private int left = wish.times();

    Caller(Lockkeeper keeper, SplittableRandom random) {
      this.keeper = keeper;
      this.random = random;
    }

    void think() {
      double share = -Math.log(1 - random.nextDouble());
      time.after((long) (share * TimeUnit.MILLISECONDS.toNanos(wish.thinkMillis())), this::ask);
    }

    private void ask() {
      long askedNanos = time.nanos();
      drawn()
          .acquireAsync()
          .thenAccept(
              lease -> {
                Histograms.record(waits, time.nanos() - askedNanos);
                acquisitions++;
                time.after(TimeUnit.MILLISECONDS.toNanos(wish.holdMillis()), () -> giveBack(lease));
              });
    }

    private DistributedLock drawn() {
      boolean isHot = random.nextDouble() < wish.hotShare();
      int number = random.nextInt(isHot ? wish.hotNames() : wish.names());
      String name = (isHot ? "hot-" : "lock-") + number;
      return wish.isFair() ? keeper.fairLock(name) : keeper.lock(name);
    }

    private void giveBack(Lease lease) {
      lease.release();
      left--;
      done++;
      if (left > 0) {
        think();
      }
    }
  }
}
