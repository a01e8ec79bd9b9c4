package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Sort;
import io.lockkeeper.bench.results.CommandsResult;
import io.lockkeeper.bench.results.ContestResult.Kind;
import io.lockkeeper.bench.worker.Work;
import io.lockkeeper.servers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts the commands that the server executes for each acquisition. Not timed: being told of each
 * command slows the server down, but changes little about how many there are.
 */
final class CommandsRunner {

  private static final Duration WINDOW = Duration.ofMillis(500);
  private static final Duration SMALL_WINDOW = Duration.ofMillis(200);
  private static final int THREADS_PER_PROCESS = 8;

  private final Plan plan;
  private final Crews crews;
  private final RedisProbe probe;
  private final RedisServer server;
  private final Progress progress;

  CommandsRunner(Plan plan, Crews crews, RedisProbe probe, RedisServer server, Progress progress) {
    this.plan = plan;
    this.crews = crews;
    this.probe = probe;
    this.server = server;
    this.progress = progress;
  }

  List<CommandsResult> run() throws IOException {
    List<CommandsResult> results = new ArrayList<>();
    List<Contender> contenders = plan.onServer(Sort.LOCK);
    int contended = plan.processes() * THREADS_PER_PROCESS;
    for (Contender contender : contenders) {
      results.add(count(contender, contest(1, 1, contenders)));
      results.add(count(contender, contest(plan.processes(), contended, contenders)));
    }
    for (CommandsResult result : results) {
      progress.say(
          "commands: %-24s %2d threads: %.2f sent, %.2f in scripts, per acquisition",
          result.contender().label(),
          result.threads(),
          result.totalSent(),
          result.totalInScripts());
    }
    return results;
  }

  private static ContestPlan contest(int processes, int threads, List<Contender> contenders) {
    return new ContestPlan(Kind.ONE_LOCK, processes, threads, Work.NONE, contenders);
  }

  private CommandsResult count(Contender contender, ContestPlan contest) throws IOException {
    try {
      Crew crew = crews.of(contender.product());
      int processes = contest.processes(crew.size());
      Turn turn = new Turn(probe, crew, processes, contest.spec(contender, crew.size()));
      turn.play(SMALL_WINDOW);
      CommandTally tally = new CommandTally(RedisServer.HOST, server.port());
      Turn.Outcome outcome;
      try {
        outcome = turn.play(WINDOW);
      } finally {
        tally.close();
      }
      return new CommandsResult(
          contender,
          contest.threads(),
          perAcquisition(tally.sent(), outcome.total()),
          perAcquisition(tally.inScripts(), outcome.total()),
          outcome.problems());
    } catch (WorkerFailedException e) {
      crews.discard(contender.product());
      return new CommandsResult(
          contender, contest.threads(), new TreeMap<>(), new TreeMap<>(), List.of(e.problem()));
    }
  }

  private static SortedMap<String, Double> perAcquisition(
      SortedMap<String, Long> counts, long acquisitions) {
    SortedMap<String, Double> result = new TreeMap<>();
    counts.forEach(
        (command, count) -> {
          if (!command.equals("INFO") && acquisitions > 0) {
            result.put(command, (double) count / acquisitions);
          }
        });
    return result;
  }
}
