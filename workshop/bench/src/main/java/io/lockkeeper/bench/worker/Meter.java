package io.lockkeeper.bench.worker;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Measures what this process uses from one moment on, without the thread that reads. */
final class Meter {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final ProcessUse use = ProcessUse.of(ProcessHandle.current().pid());
  private final Map<Long, Long> allocated = allocated();

  /** Returns what has been used since this meter was made, by threads that still run. */
  Expense read() {
    Map<Long, Long> now = allocated();
    ProcessUse.Spent spent = ProcessUse.of(ProcessHandle.current().pid()).since(use);
    return new Expense(spent.cpuNanos(), spent.switches(), ProcessUse.growth(allocated, now));
  }

  private static Map<Long, Long> allocated() {
    long[] ids = THREADS.getAllThreadIds();
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Long> all = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      if (bytes[i] >= 0) { // else it has ended
        all.put(ids[i], bytes[i]);
      }
    }
    all.remove(Thread.currentThread().getId());
    return all;
  }
}
