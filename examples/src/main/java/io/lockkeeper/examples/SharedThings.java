package io.lockkeeper.examples;

import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedCounter;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.SharedValue;
import io.lockkeeper.VersionedValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * An import in four parts, as two processes would share it: a counter of rows, a setting that may
 * change while it runs, and a latch that tells when all parts are done.
 */
public final class SharedThings {

  private static final String DEFAULT_URL = "memory:shared-things";
  private static final int PARTS = 4;
  private static final int ROWS_PER_PART = 25;

  private SharedThings() {}

  /**
   * Runs it.
   *
   * @param args the store's URL, such as {@code redis://localhost}; by default the memory of this
   *     process
   */
  public static void main(String[] args) throws InterruptedException {
    System.out.println(run(args.length == 0 ? DEFAULT_URL : args[0]) + " rows imported");
  }

  static long run(String url) throws InterruptedException {
    try (Lockkeeper importer = Lockkeeper.connect(url);
        Lockkeeper office = Lockkeeper.connect(url)) {
      office.sharedValue("import:speed").set("slow");
      DistributedCountDownLatch done = office.countDownLatch("import:done");
      done.trySetCount(PARTS, Duration.ofHours(1)); // forgotten after an hour, come what may

      List<Thread> parts = importInThreads(importer);
      office.sharedValue("import:speed").set("fast");

      if (!done.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException(done.getCount() + " parts are missing");
      }
      for (Thread part : parts) {
        part.join();
      }
      long rows = office.counter("import:rows").get();
      office.counter("import:rows").delete();
      office.sharedValue("import:speed").delete();
      done.delete();
      return rows;
    }
  }

  private static List<Thread> importInThreads(Lockkeeper keeper) {
    List<Thread> parts = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      Thread thread = new Thread(() -> importPart(keeper), "part " + part);
      thread.start();
      parts.add(thread);
    }
    return parts;
  }

  private static void importPart(Lockkeeper keeper) {
    DistributedCounter rows = keeper.counter("import:rows");
    SharedValue speed = keeper.sharedValue("import:speed");
    Map<String, String> settings = new ConcurrentHashMap<>();
    Registration registration =
        speed.onChange(
            value -> settings.put("speed", value.map(VersionedValue::text).orElse("slow")));
    try {
      for (int row = 0; row < ROWS_PER_PART; row++) {
        rows.incrementAndGet(); // counted once, also if the store's answer is lost
      }
    } finally {
      registration.close();
    }
    keeper.countDownLatch("import:done").countDown();
  }
}
