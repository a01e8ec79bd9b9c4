package io.lockkeeper.examples;

import io.lockkeeper.HolderReport;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceReport;
import java.util.ArrayList;
import java.util.List;

/** Shows who holds what, and takes it away. */
public final class WhoHoldsWhat {

  private static final String DEFAULT_URL = "memory:who-holds-what";

  private WhoHoldsWhat() {}

  /**
   * Runs it.
   *
   * @param args the store's URL; by default the memory of this process
   */
  public static void main(String[] args) throws InterruptedException {
    run(args.length == 0 ? DEFAULT_URL : args[0]).forEach(System.out::println);
  }

  static List<String> run(String url) throws InterruptedException {
    List<String> lines = new ArrayList<>();
    try (Lockkeeper worker = Lockkeeper.builder().clientName("worker 7").connect(url);
        Lockkeeper operator = Lockkeeper.connect(url)) {
      Lease lease = worker.lock("nightly-report").acquire();
      for (ResourceReport report : operator.admin().inspect()) {
        for (HolderReport holder : report.holders()) {
          lines.add(holder.client() + " holds " + report.name());
          operator.admin().forceRelease(holder); // only this one; the next waiter is admitted
        }
      }
      lease.lost().toCompletableFuture().join(); // the holder is notified
    }
    return lines;
  }
}
