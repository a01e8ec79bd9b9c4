package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.results.Latency;
import io.lockkeeper.bench.results.ServiceRound;
import io.lockkeeper.bench.results.ServiceRow;
import io.lockkeeper.bench.worker.Command;
import io.lockkeeper.bench.worker.Expense;
import io.lockkeeper.bench.worker.ProcessUse;
import io.lockkeeper.bench.worker.Reply;
import io.lockkeeper.bench.worker.ServiceSpec;
import io.lockkeeper.bench.worker.Sleep;
import io.lockkeeper.lab.report.Histograms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import org.HdrHistogram.Histogram;

/** One contender's turn under a load of services: the same window in its processes. */
final class ServiceTurn {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  /** How long a load runs before it is measured: connections, queues and caches are then in use. */
  private static final Duration LEAD = Duration.ofSeconds(1);

  private static final Duration PREPARE_LIMIT = Duration.ofSeconds(60);

  /** How much longer than the window a turn may take: what is under way at its end is finished. */
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

  private final long serverPid;
  private final Crew crew;
  private final ServiceRow row;
  private final Contender contender;
  private final long seed;
  private final int processes;

  ServiceTurn(long serverPid, Crew crew, ServiceRow row, Contender contender, long seed) {
    this.serverPid = serverPid;
    this.crew = crew;
    this.row = row;
    this.contender = contender;
    this.seed = seed;
    this.processes = Math.min(crew.size(), row.clients());
  }

  /** What a turn brought. */
  record Outcome(ServiceRound round, Histogram waits, List<String> problems) {}

  /** Runs the load. */
  Outcome play(Duration window) throws WorkerFailedException {
    return play(window, true);
  }

  /** Plays the load without pauses. */
  Outcome warmUp(Duration window) throws WorkerFailedException {
    return play(window, false);
  }

  private Outcome play(Duration window, boolean paused) throws WorkerFailedException {
    for (int i = 0; i < processes; i++) {
      ServiceSpec spec = new ServiceSpec(contender, row, processes, i, paused, seed);
      crew.worker(i).send(new Command.Employ(spec));
    }
    for (int i = 0; i < processes; i++) {
      crew.worker(i).await(Reply.Done.class, PREPARE_LIMIT);
    }
    Duration lead = LEAD.compareTo(window) < 0 ? LEAD : window;
    long startNanos = System.nanoTime() + lead.toNanos();
    long endNanos = startNanos + window.toNanos();
    for (int i = 0; i < processes; i++) {
      crew.worker(i).send(new Command.Serve(startNanos, endNanos));
    }
    double serverNanos = serverNanos(startNanos, endNanos);
    List<Reply.Served> replies = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      replies.add(crew.worker(i).await(Reply.Served.class, DRAIN_LIMIT));
    }
    return summarize(window, replies, serverNanos);
  }

  private double serverNanos(long startNanos, long endNanos) {
    Sleep.until(startNanos);
    ProcessUse before = ProcessUse.of(serverPid);
    Sleep.until(endNanos);
    return ProcessUse.of(serverPid).since(before).cpuNanos();
  }

  static Outcome summarize(Duration window, List<Reply.Served> replies, double serverNanos) {
    Histogram waits = Histograms.create();
    Expense expense = new Expense(0, 0, 0);
    List<String> problems = new ArrayList<>();
    for (Reply.Served reply : replies) {
      waits.add(Histograms.decode(reply.histogram()));
      expense = expense.plus(reply.expense());
      problems.addAll(reply.problems());
    }
    long acquisitions = replies.stream().mapToLong(Reply.Served::acquisitions).sum();
    LongSummaryStatistics clients =
        replies.stream()
            .flatMap(reply -> reply.countedPerClient().stream())
            .mapToLong(Long::longValue)
            .summaryStatistics();
    double each = acquisitions == 0 ? Double.NaN : (double) acquisitions;
    ServiceRound round =
        new ServiceRound(
            acquisitions * NANOS_PER_SECOND / window.toNanos(),
            Latency.of(waits),
            (double) replies.stream().mapToLong(Reply.Served::heldNanos).sum() / window.toNanos(),
            expense.cpuNanos() / each / NANOS_PER_MICRO,
            serverNanos / each / NANOS_PER_MICRO,
            expense.switches() / each,
            expense.bytes() / each,
            clients.getMin(),
            clients.getMax(),
            replies.stream().mapToLong(Reply.Served::overlaps).sum());
    return new Outcome(round, waits, problems);
  }
}
