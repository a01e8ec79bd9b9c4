package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.Recorder;
import io.lockkeeper.lab.load.LoadPlan;
import io.lockkeeper.lab.load.MemoryRegister;
import io.lockkeeper.lab.load.Register;
import io.lockkeeper.lab.load.SubjectProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/** The workers of a round, each behind a network of its own, and the register that they guard. */
final class Workers implements AutoCloseable {

  /**
   * What the crew is for.
   *
   * @param stage the store
   * @param subject whose locks
   * @param folder where histories go
   * @param namespace the namespace of the round
   * @param processes how many workers
   * @param threads how many threads in each
   * @param plan what each thread of a worker with this seed does
   * @param patience for how long what is free may be waited for while nothing is wrong
   * @param seed for all that is random
   */
  record Task(
      StoreUnderTest stage,
      String subject,
      Path folder,
      String namespace,
      int processes,
      int threads,
      LongFunction<LoadPlan> plan,
      Duration patience,
      long seed) {}

  private static final long LOOK_NANOS = 20_000_000;
  private static final Duration FIRST_LIMIT = Duration.ofSeconds(4);

  private final Task task;
  private final Recorder recorder;
  private final Register register;
  private final List<Network> networks = new ArrayList<>();
  private final List<WorkerProcess> workers = new ArrayList<>();
  private long deadsAcquisitions;
  private int started;

  Workers(Task task, Recorder recorder) {
    this.task = task;
    this.recorder = recorder;
    this.register = new MemoryRegister(recorder);
    for (int number = 0; number < task.processes(); number++) {
      networks.add(new Network(task.stage()));
      workers.add(start(number));
    }
  }

  private WorkerProcess start(int number) {
    String process = "p" + (number + 1) + "." + ++started;
    Network network = networks.get(number);
    String later = network.through(task.stage().urlForLater());
    WorkerOrder order =
        new WorkerOrder(
            task.subject(),
            process,
            started <= task.processes() ? network.through(task.stage().url()) : later,
            later,
            task.namespace(),
            task.folder().toString(),
            task.threads(),
            task.stage().lease,
            task.plan().apply(task.seed() * 100 + started));
    return WorkerProcess.start(order, register);
  }

  StoreUnderTest stage() {
    return task.stage();
  }

  int size() {
    return workers.size();
  }

  WorkerProcess worker(int number) {
    return workers.get(number);
  }

  Network network(int number) {
    return networks.get(number);
  }

  /** Kills a worker; {@link #replace} starts its successor. */
  void kill(int number) {
    WorkerProcess worker = workers.get(number);
    worker.close();
    deadsAcquisitions += worker.acquisitions();
    recorder.record(Event.ofRun(System.nanoTime(), worker.name(), EventKind.DIED, "killed"));
  }

  void replace(int number) {
    workers.set(number, start(number));
  }

  List<WorkerProcess> others(int number) {
    return workers.stream().filter(worker -> worker != workers.get(number)).toList();
  }

  /** Waits for a while until a worker has got something. */
  void awaitFirst(int number) {
    await(FIRST_LIMIT, () -> workers.get(number).acquisitions() > 0);
  }

  /** Waits for a while until all workers are connected, and returns whether they are. */
  boolean haveAllBegun() {
    return await(FIRST_LIMIT, () -> workers.stream().allMatch(WorkerProcess::hasBegun));
  }

  /** Waits until something is so, but not longer than this; returns whether it is. */
  static boolean await(Duration limit, BooleanSupplier isSo) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!isSo.getAsBoolean() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return isSo.getAsBoolean();
  }

  /** Returns how often all workers have got what they wanted. */
  long acquisitions() {
    return deadsAcquisitions + workers.stream().mapToLong(WorkerProcess::acquisitions).sum();
  }

  /** Ends the workers in good order, and returns what went wrong with that. */
  List<String> stop() throws InterruptedException {
    workers.forEach(WorkerProcess::stop);
    List<String> problems = new ArrayList<>();
    for (WorkerProcess worker : workers) {
      String problem = worker.awaitEnd();
      if (!problem.isEmpty()) {
        problems.add(problem);
      }
    }
    return problems;
  }

  @Override
  public void close() {
    workers.forEach(WorkerProcess::close);
    networks.forEach(Network::close);
  }

  /**
   * What a worker has to do: the first line on its standard input, as JSON. After that come answers
   * of the guarded register, and {@value TortureWorkerCommand#STOP}.
   *
   * @param subject whose locks: {@value #OWN}, or what a {@link SubjectProvider} has
   * @param process what it is called in the history
   * @param storeUrl the store; may hold a password
   * @param laterUrl the same for the clients that it connects later
   * @param namespace the namespace of the round
   * @param folder where its history goes
   * @param threads how many threads it has
   * @param lease for how long a lease is asked
   * @param plan what they do
   */
  record WorkerOrder(
      String subject,
      String process,
      String storeUrl,
      String laterUrl,
      String namespace,
      String folder,
      int threads,
      Duration lease,
      LoadPlan plan) {

    /** The locks of this product. */
    static final String OWN = "lockkeeper";

    Path historyFolder() {
      return Path.of(folder);
    }

    @Override
    public String toString() {
      return "WorkerOrder[" + process + "]";
    }
  }
}
