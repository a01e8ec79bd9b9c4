package io.lockkeeper.testkit.process;

import io.lockkeeper.DistributedCounter;
import io.lockkeeper.Lockkeeper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The work of a process of its own with a counter or a latch. It says {@code ready}, waits to be
 * told to go on if it is to count, and says {@code done} when it has counted, or {@code open} when
 * the latch has opened.
 */
public final class CellProcess {

  private static final String COUNT = "count";
  private static final String AWAIT = "await";

  private CellProcess() {}

  /** Starts one that increments a counter so often in each of several threads. */
  public static TalkingProcess counting(String url, String name, int threads, int rounds)
      throws IOException {
    return start(COUNT, url, name, Integer.toString(threads), Integer.toString(rounds));
  }

  /** Starts one that waits for a latch. */
  public static TalkingProcess awaiting(String url, String name) throws IOException {
    return start(AWAIT, url, name);
  }

  private static TalkingProcess start(String... arguments) throws IOException {
    return TalkingProcess.start(CellProcess.class, Map.of(), arguments);
  }

  /** Increments a counter in several threads at once; throws what one of them throws. */
  public static void count(DistributedCounter counter, int threads, int rounds)
      throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  counter.incrementAndGet();
                }
              });
      thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.size() + " threads failed", failures.get(0));
    }
  }

  /** Runs in the process itself. */
  public static void main(String[] arguments) throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect(arguments[1])) {
      if (arguments[0].equals(COUNT)) {
        DistributedCounter counter = keeper.counter(arguments[2]);
        TalkingProcess.say("ready");
        TalkingProcess.awaitWord();
        count(counter, Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
        TalkingProcess.say("done");
      } else {
        keeper.countDownLatch(arguments[2]).getCount(); // the connection is there
        TalkingProcess.say("ready");
        keeper.countDownLatch(arguments[2]).await();
        TalkingProcess.say("open");
      }
      TalkingProcess.awaitWord();
    }
  }
}
