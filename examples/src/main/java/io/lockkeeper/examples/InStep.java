package io.lockkeeper.examples;

import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.Lockkeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Takes three workers, wherever they run, through five steps together. */
public final class InStep {

  private static final String DEFAULT_URL = "memory:in-step";
  private static final int WORKERS = 3;
  private static final int STEPS = 5;

  private InStep() {}

  /**
   * Runs it.
   *
   * @param args the store's URL; by default the memory of this process
   */
  public static void main(String[] args) throws InterruptedException, ExecutionException {
    System.out.println(run(args.length == 0 ? DEFAULT_URL : args[0]) + " steps in step");
  }

  /** Returns how many steps all had begun before anybody went on to the next. */
  static int run(String url) throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    AtomicIntegerArray begun = new AtomicIntegerArray(STEPS);
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      DistributedBarrier barrier = keeper.barrier("in-step", WORKERS);
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        all.add(threads.submit(() -> work(barrier, begun)));
      }
      int least = STEPS;
      for (Future<Integer> one : all) {
        least = Math.min(least, one.get());
      }
      return least;
    } finally {
      threads.shutdown();
    }
  }

  private static int work(DistributedBarrier barrier, AtomicIntegerArray begun)
      throws InterruptedException {
    int together = 0;
    for (int step = 0; step < STEPS; step++) {
      begun.incrementAndGet(step);
      barrier.await();
      together += begun.get(step) == WORKERS ? 1 : 0;
    }
    return together;
  }
}
