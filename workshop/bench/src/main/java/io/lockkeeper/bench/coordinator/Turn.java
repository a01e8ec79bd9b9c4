package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.results.Latency;
import io.lockkeeper.bench.results.Round;
import io.lockkeeper.bench.worker.Command;
import io.lockkeeper.bench.worker.ContestSpec;
import io.lockkeeper.bench.worker.Reply;
import io.lockkeeper.bench.worker.Work;
import io.lockkeeper.lab.report.Histograms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** One contender's turn in a contest: the same window in all its processes. */
final class Turn {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration PREPARE_LIMIT = Duration.ofSeconds(30);

  /** How much longer than the window a turn may take: what is under way at its end is finished. */
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

  private final ServerProbe probe;
  private final Crew crew;
  private final int processes;
  private final ContestSpec spec;

  Turn(ServerProbe probe, Crew crew, int processes, ContestSpec spec) {
    this.probe = probe;
    this.crew = crew;
    this.processes = processes;
    this.spec = spec;
  }

  /**
   * What a turn brought.
   *
   * @param total all acquisitions, with those that ended after the window
   */
  record Outcome(Round round, Histogram times, long total, List<String> problems) {}

  Outcome play(Duration window) throws WorkerFailedException {
    if (spec.work() == Work.ORDER) {
      probe.reset(spec.stockKey());
    }
    ServerProbe.Reading before = probe.read();
    List<Reply.Contested> replies = contend(window);
    ServerProbe.Reading after = probe.read();
    return summarize(window, replies, before, after);
  }

  private List<Reply.Contested> contend(Duration window) throws WorkerFailedException {
    for (int i = 0; i < processes; i++) {
      crew.worker(i).send(new Command.Prepare(spec));
    }
    for (int i = 0; i < processes; i++) {
      crew.worker(i).await(Reply.Done.class, PREPARE_LIMIT);
    }
    long startNanos = System.nanoTime() + LEAD_NANOS;
    for (int i = 0; i < processes; i++) {
      crew.worker(i).send(new Command.Run(startNanos, startNanos + window.toNanos()));
    }
    List<Reply.Contested> replies = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      replies.add(crew.worker(i).await(Reply.Contested.class, window.plus(DRAIN_LIMIT)));
    }
    return replies;
  }

  private Outcome summarize(
      Duration window,
      List<Reply.Contested> replies,
      ServerProbe.Reading before,
      ServerProbe.Reading after) {
    Histogram times = Histograms.create();
    List<Long> perThread = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Reply.Contested reply : replies) {
      times.add(Histograms.decode(reply.histogram()));
      perThread.addAll(reply.countedPerThread());
      problems.addAll(reply.problems());
    }
    long total = replies.stream().mapToLong(Reply.Contested::total).sum();
    LongSummaryStatistics counts =
        perThread.stream().mapToLong(Long::longValue).summaryStatistics();
    Round round =
        new Round(
            (double) counts.getSum() * NANOS_PER_SECOND / window.toNanos(),
            Latency.of(times),
            counts.getMin(),
            counts.getMax(),
            per(after.commands() - before.commands(), total),
            per(after.cpuMicros() - before.cpuMicros(), total),
            replies.stream().mapToLong(Reply.Contested::overlaps).sum(),
            spec.work() == Work.ORDER ? total - probe.number(spec.stockKey()) : 0,
            (after.scriptMicros() - before.scriptMicros()) / (after.scripts() - before.scripts()));
    return new Outcome(round, times, total, problems);
  }

  private static double per(double amount, long count) {
    return count == 0 ? 0 : amount / count;
  }
}
