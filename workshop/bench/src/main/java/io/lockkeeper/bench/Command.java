package io.lockkeeper.bench;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.lockkeeper.bench.locks.Contender;

/** What the coordinator asks of a worker; each is answered by one {@link Reply}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
sealed interface Command {

  /** Does it. */
  Reply executeIn(Worker worker) throws Exception;

  /** Prepares the threads of a contest. */
  record Prepare(ContestSpec spec) implements Command {

    @Override
    public Reply executeIn(Worker worker) throws Exception {
      return worker.prepare(spec);
    }
  }

  /**
   * Lets the prepared threads contend, and measures them from one moment to another, on {@link
   * System#nanoTime()}.
   */
  record Run(long startNanos, long endNanos) implements Command {

    @Override
    public Reply executeIn(Worker worker) throws InterruptedException {
      return worker.run(startNanos, endNanos);
    }
  }

  /** Passes a lock to and fro between two clients in this process. */
  record HandOver(Contender contender, String name, int times) implements Command {

    @Override
    public Reply executeIn(Worker worker) throws Exception {
      return worker.handOver(contender, name, times);
    }
  }

  /** Has so many clients use one lock each, once, and then leaves them alone for a while. */
  record Idle(Contender contender, int clients, long nanos) implements Command {

    @Override
    public Reply executeIn(Worker worker) throws Exception {
      return worker.idle(contender, clients, nanos);
    }
  }
}
