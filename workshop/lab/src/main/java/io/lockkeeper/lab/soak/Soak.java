package io.lockkeeper.lab.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.FaultyCallbacks;
import io.lockkeeper.lab.load.KeeperSubject;
import io.lockkeeper.lab.load.Load;
import io.lockkeeper.lab.load.LoadPlan;
import io.lockkeeper.servers.RedisServer;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A soak: clients of a real Redis server use many resources for long, at a small rate, while
 * samples are taken of what they and the server keep.
 *
 * @param time how long it uses the store
 * @param rest how long it looks on after that, with all clients closed
 * @param interval between two samples
 * @param names how many resources of each type it uses
 * @param perSecond how many holds are begun in a second
 */
record Soak(Duration time, Duration rest, Duration interval, int names, double perSecond) {

  private static final int CLIENTS = 2;

  /** Threads of a client at all names, and one more at a few, where threads and clients meet. */
  private static final int WIDE_THREADS = 3;

  private static final int MEETING_PLACES = 4;
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final long END_LIMIT_MILLIS = 60_000;
  private static final int MOST_SAID = 20;

  /** What the threads have done. */
  private record Counts(AtomicLong uses, AtomicLong timeouts, AtomicLong errors) {

    void add(Event event) {
      switch (event.kind()) {
        case GOT, RETURN -> uses.incrementAndGet();
        case FAILED, UNKNOWN -> {
          if (event.note().equals("not in time")) {
            timeouts.incrementAndGet();
          } else if (errors.incrementAndGet() <= MOST_SAID) {
            System.err.println("a use failed: " + event.note());
          }
        }
        default -> {
          // of no concern
        }
      }
    }
  }

  /** Runs it, and writes each sample as a line of a table in CSV. */
  List<Map<String, Double>> run(PrintWriter out) throws InterruptedException {
    List<Map<String, Double>> samples = new ArrayList<>();
    try (RedisServer server = RedisServer.start()) {
      Counts counts = new Counts(new AtomicLong(), new AtomicLong(), new AtomicLong());
      List<KeeperSubject> clients = new ArrayList<>();
      List<Load> loads = new ArrayList<>();
      LockkeeperBuilder builder = Lockkeeper.builder().lease(LEASE).listener(event -> {});
      for (int client = 0; client < CLIENTS; client++) {
        KeeperSubject subject =
            new KeeperSubject(
                builder.connect(server.url()),
                () -> builder.connect(server.url()),
                new FaultyCallbacks(client));
        clients.add(subject);
        loads.add(load("wide" + client, WIDE_THREADS, names, subject, counts));
        loads.add(load("close" + client, 1, Math.min(names, MEETING_PLACES), subject, counts));
      }
      long startNanos = System.nanoTime(); // however long the first connections take
      look(startNanos, time, server, counts, samples, out);
      loads.forEach(Load::stop);
      for (Load load : loads) {
        load.join(END_LIMIT_MILLIS);
        load.close();
      }
      clients.forEach(KeeperSubject::close);
      look(startNanos, time.plus(rest), server, counts, samples, out);
      note(samples, sample(startNanos, true, server, counts), out);
    }
    return samples;
  }

  private Load load(String name, int threads, int size, KeeperSubject subject, Counts counts) {
    LoadPlan plan =
        new LoadPlan(
            List.of(
                ResourceType.LOCK,
                ResourceType.FAIR,
                ResourceType.RW,
                ResourceType.SEMAPHORE,
                ResourceType.COUNTER),
            size,
            3,
            LEASE.multipliedBy(2),
            Duration.ofMillis(4),
            LEASE.plusSeconds(1),
            500,
            Duration.ofMillis(4),
            perSecond / CLIENTS / (WIDE_THREADS + 1),
            0.1,
            false,
            name.hashCode()); // uses alike in each run
    return new Load(name, threads, plan, subject, (id, actor, call, token) -> true, counts::add);
  }

  /** Takes samples until this time; before it, the clients are in use. */
  private void look(
      long startNanos,
      Duration until,
      RedisServer server,
      Counts counts,
      List<Map<String, Double>> samples,
      PrintWriter out)
      throws InterruptedException {
    while (System.nanoTime() - startNanos < until.toNanos()) {
      note(samples, sample(startNanos, until.compareTo(time) > 0, server, counts), out);
      long past = (System.nanoTime() - startNanos) % interval.toNanos();
      TimeUnit.NANOSECONDS.sleep(interval.toNanos() - past);
    }
  }

  /** Returns what there is, the heap after a collection, by the names of the columns. */
  private static Map<String, Double> sample(
      long startNanos, boolean closed, RedisServer server, Counts counts) {
    System.gc();
    Map<String, Double> sample = new LinkedHashMap<>();
    sample.put("seconds", (System.nanoTime() - startNanos) / 1e9);
    sample.put("closed", closed ? 1.0 : 0);
    sample.put("uses", counts.uses.doubleValue());
    sample.put("timeouts", counts.timeouts.doubleValue());
    sample.put("errors", counts.errors.doubleValue());
    sample.put(
        "heap_bytes", (double) ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    sample.put("threads", (double) ManagementFactory.getThreadMXBean().getThreadCount());
    sample.put(
        "files",
        (double)
            ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getOpenFileDescriptorCount());
    sample.put("server_bytes", number(server, "memory", "used_memory"));
    Matcher keys =
        Pattern.compile("keys=(\\d+),expires=(\\d+).*")
            .matcher(server.info("keyspace").getOrDefault("db0", "keys=0,expires=0"));
    double all = keys.matches() ? Double.parseDouble(keys.group(1)) : Double.NaN;
    sample.put("server_keys", all);
    sample.put("server_keys_that_stay", all - Double.parseDouble(keys.group(2)));
    sample.put("server_clients", number(server, "clients", "connected_clients"));
    sample.put("server_channels", number(server, "stats", "pubsub_channels"));
    return sample;
  }

  private static double number(RedisServer server, String section, String field) {
    return Double.parseDouble(server.info(section).getOrDefault(field, "0"));
  }

  private static void note(
      List<Map<String, Double>> samples, Map<String, Double> sample, PrintWriter out) {
    if (samples.isEmpty()) {
      out.println(String.join(",", sample.keySet()));
    }
    out.println(sample.values().stream().map("%.0f"::formatted).collect(Collectors.joining(",")));
    out.flush();
    samples.add(sample);
  }
}
