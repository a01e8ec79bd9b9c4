package io.lockkeeper.bench.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.lockkeeper.bench.locks.Contender;

/** What the coordinator tells a worker; each is answered by one {@link Reply}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
  @JsonSubTypes.Type(Command.Connect.class),
  @JsonSubTypes.Type(Command.Prepare.class),
  @JsonSubTypes.Type(Command.Run.class),
  @JsonSubTypes.Type(Command.HandOver.class),
  @JsonSubTypes.Type(Command.Hold.class),
  @JsonSubTypes.Type(Command.Unhold.class),
  @JsonSubTypes.Type(Command.Crowd.class),
  @JsonSubTypes.Type(Command.Drain.class),
  @JsonSubTypes.Type(Command.Employ.class),
  @JsonSubTypes.Type(Command.Serve.class),
  @JsonSubTypes.Type(Command.Idle.class)
})
public sealed interface Command {

  /** Does it. */
  Reply executeIn(Worker worker) throws Exception;

  /** Opens the worker's client and tells the worker's clock. */
  record Connect() implements Command {
    @Override
    public Reply executeIn(Worker worker) throws Exception {
      return worker.connect();
    }
  }

  /** Creates the threads of a contest; they wait for {@link Run}. */
  record Prepare(ContestSpec spec) implements Command {
    @Override
    public Reply executeIn(Worker worker) throws Exception {
      return worker.prepare(spec);
    }
  }

  /** Lets the prepared threads contend from one moment to another, on {@link System#nanoTime()}. */
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

  /** Takes a lock on the worker's main thread. */
  record Hold(Contender contender, String name) implements Command {
    @Override
    public Reply executeIn(Worker worker) {
      return worker.hold(contender, name);
    }
  }

  /** Gives back what {@link Hold} took. */
  record Unhold() implements Command {
    @Override
    public Reply executeIn(Worker worker) {
      return worker.unhold();
    }
  }

  /** Has many threads wait for one lock that another process holds, and weighs them. */
  record Crowd(Contender contender, String name, int threads) implements Command {
    @Override
    public Reply executeIn(Worker worker) {
      return worker.crowd(contender, name, threads);
    }
  }

  /** Waits until each thread of the crowd has had the lock. */
  record Drain(long limitMillis) implements Command {
    @Override
    public Reply executeIn(Worker worker) throws InterruptedException {
      return worker.drain(limitMillis);
    }
  }

  /** Connects the clients of a turn of services. */
  record Employ(ServiceSpec spec) implements Command {
    @Override
    public Reply executeIn(Worker worker) throws Exception {
      return worker.employ(spec);
    }
  }

  /** Runs services from now on, and measures them from one moment to another. */
  record Serve(long startNanos, long endNanos) implements Command {
    @Override
    public Reply executeIn(Worker worker) throws InterruptedException {
      return worker.serve(startNanos, endNanos);
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
