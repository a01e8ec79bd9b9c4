package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.ContestedLock;
import io.lockkeeper.bench.locks.LockClient;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** The threads of one contest in this process. */
final class Contest {

  private static final int LONGEST_PROBLEM = 200;

  private final Command.Prepare spec;
  private final Runnable work;
  private final List<Caller> callers = new ArrayList<>();

  /** What went wrong, each kind with its count, so that a repeated failure stays one line. */
  private final TreeMap<String, Integer> problems = new TreeMap<>(); // guarded by this

  /**
   * Prepares the threads.
   *
   * @param work what they do while they hold a lock
   */
  Contest(Command.Prepare spec, List<LockClient> clients, Runnable work) {
    this.spec = spec;
    this.work = work;
    for (int i = 0; i < spec.threads(); i++) {
      callers.add(new Caller(clients.get(i % clients.size()), i));
    }
  }

  /** Runs the threads, from now to the end of the window, and measures what is inside it. */
  Reply.Contested run(long startNanos, long endNanos) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (Caller caller : callers) {
      caller.startNanos = startNanos;
      caller.endNanos = endNanos;
      Thread thread = new Thread(() -> runUntil(end, caller), "caller-" + threads.size());
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    double cpuNanos =
        ProcessUse.within(List.of(ProcessHandle.current().pid()), startNanos, endNanos);
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    Histogram times = Histograms.create();
    callers.forEach(caller -> times.add(caller.times));
    return new Reply.Contested(
        sum(caller -> caller.counted),
        sum(caller -> caller.total),
        Histograms.encode(times),
        sum(caller -> caller.heldNanos),
        cpuNanos,
        problems());
  }

  /** Keeps the thread after its work: of one that has ended it is not known what it used. */
  private static void runUntil(CountDownLatch end, Caller caller) {
    caller.run();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long sum(ToLongFunction<Caller> figure) {
    return callers.stream().mapToLong(figure).sum();
  }

  private synchronized void add(RuntimeException failure) {
    String text = failure.toString().lines().findFirst().orElse("");
    boolean isLong = text.length() > LONGEST_PROBLEM;
    problems.merge(isLong ? text.substring(0, LONGEST_PROBLEM) + "..." : text, 1, Integer::sum);
  }

  private synchronized List<String> problems() {
    return problems.entrySet().stream().map(it -> it.getValue() + " x " + it.getKey()).toList();
  }

  /** Returns any time from zero to twice the mean. */
  static long pauseNanos(Command.Prepare spec, SplittableRandom random) {
    long longest = 2 * TimeUnit.MILLISECONDS.toNanos(spec.kind().pauseMillis);
    return spec.paused() && longest > 0 ? random.nextLong(longest + 1) : 0;
  }

  /**
   * A thread of a contest: it pauses if it is to, draws a name, asks for its lock, holds it, gives
   * it back, and begins anew until the window ends.
   *
   * <p>It counts the acquisitions inside the window. It records the time of everything that it
   * asked for inside the window, also where that outlasts it: the longest waits are the ones that
   * matter.
   */
  private final class Caller {

    private final LockClient client;
    private final SplittableRandom random;
    private final int number;
    private final Map<Integer, ContestedLock> locks = new HashMap<>();
    private final Histogram times = Histograms.create();
    private long startNanos;
    private long endNanos;
    private long counted;
    private long total;
    private long heldNanos;

    Caller(LockClient client, int number) {
      this.client = client;
      this.random = new SplittableRandom(spec.seed() + number);
      this.number = number;
    }

    /** Begins at once, before the window. */
    private void run() {
      while (System.nanoTime() - endNanos < 0) {
        Sleep.nanos(pauseNanos(spec, random));
        try {
          useOnce(lock());
        } catch (RuntimeException e) {
          add(e);
        }
      }
    }

    private ContestedLock lock() {
      int names = spec.kind().names;
      int drawn = names > 1 ? random.nextInt(names) : 0;
      return locks.computeIfAbsent(drawn, it -> client.lock(spec.contender(), name(names, it)));
    }

    private String name(int names, int drawn) {
      return switch (names) {
        case Kind.OWN -> spec.name() + ":" + ProcessHandle.current().pid() + ":" + number;
        case 1 -> spec.name();
        default -> spec.name() + ":" + drawn;
      };
    }

    private void useOnce(ContestedLock lock) {
      long asked = System.nanoTime();
      lock.lock();
      long held = System.nanoTime();
      long released;
      try {
        work.run();
      } finally {
        released = System.nanoTime();
        lock.unlock();
      }
      long time = (spec.kind().measuresPairs() ? System.nanoTime() : held) - asked;
      total++;
      if (isInside(asked)) {
        Histograms.record(times, time);
      }
      if (isInside(held)) {
        counted++;
      }
      heldNanos += Math.max(0, sinceStart(released) - sinceStart(held));
    }

    private boolean isInside(long nanos) {
      return nanos - startNanos >= 0 && nanos - endNanos < 0;
    }

    /** Returns the time since the start of the window, none before it and no more after its end. */
    private long sinceStart(long nanos) {
      return Math.min(endNanos - startNanos, Math.max(0, nanos - startNanos));
    }
  }
}
