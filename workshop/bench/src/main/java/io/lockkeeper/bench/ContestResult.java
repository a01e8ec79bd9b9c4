package io.lockkeeper.bench;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.locks.Contender;
import java.util.List;
import java.util.Optional;

/**
 * A contest and how all contenders did in it.
 *
 * @param kind which contest
 * @param processes how many processes took part; a {@link Contender#REENTRANT_LOCK} always has one
 * @param threads how many threads in all processes together
 * @param work what was done under the lock
 * @param standings the contenders, in the order of their turns
 */
record ContestResult(
    @JsonAlias("row") Kind kind, int processes, int threads, Work work, List<Standing> standings) {

  /** Leaves out what took part in earlier versions only. */
  ContestResult {
    standings = standings.stream().filter(it -> it.contender() != null).toList();
  }

  String title() {
    return kind.title(processes, threads) + (work == Work.ORDER ? Work.ORDER.label() : "");
  }

  int threadsEach() {
    return kind.threadsEach(processes, threads);
  }

  /** Returns how {@code contender} did, if it took part. */
  Optional<Standing> standing(Contender contender) {
    return standings.stream().filter(s -> s.contender() == contender).findFirst();
  }
}
