package io.lockkeeper.bench.results;

import io.lockkeeper.bench.worker.Work;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All that one run has found. */
public record Results(
    Setting setting,
    List<ContestResult> contests,
    List<HandOverResult> handOvers,
    List<FootprintResult> footprints,
    List<CommandsResult> commands) {

  /** Returns the contests of this kind and work, by growing number of threads. */
  public List<ContestResult> contests(ContestResult.Kind kind, Work work) {
    return contests.stream()
        .filter(contest -> contest.kind() == kind && contest.work() == work)
        .sorted(Comparator.comparingInt(ContestResult::threads))
        .toList();
  }

  /** Returns the contest of this kind and work with the most threads, if there was any. */
  public Optional<ContestResult> largest(ContestResult.Kind kind, Work work) {
    List<ContestResult> all = contests(kind, work);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }
}
