package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.worker.Command;
import io.lockkeeper.bench.worker.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The worker processes of one library, each with a connected client. */
final class Crew implements AutoCloseable {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(30);

  private final List<WorkerProcess> workers;

  private Crew(List<WorkerProcess> workers) {
    this.workers = workers;
  }

  static Crew start(Library library, int size, String url, List<String> jvmOptions, Path log)
      throws WorkerFailedException {
    Crew crew = new Crew(new ArrayList<>());
    try {
      for (int i = 0; i < size; i++) {
        crew.workers.add(WorkerProcess.start(library, url, jvmOptions, log));
      }
      for (WorkerProcess worker : crew.workers) {
        crew.connect(worker);
      }
      return crew;
    } catch (RuntimeException | WorkerFailedException e) {
      crew.kill();
      throw e;
    }
  }

  /** Has a worker connect, and makes sure that its clock is this process's clock. */
  private void connect(WorkerProcess worker) throws WorkerFailedException {
    long before = System.nanoTime();
    worker.send(new Command.Connect());
    long theirs = worker.await(Reply.Connected.class, CONNECT_LIMIT).nanoTime();
    long after = System.nanoTime();
    if (theirs - before < 0 || after - theirs < 0) {
      throw new WorkerFailedException(
          "System.nanoTime() is not the same clock in two processes of this machine");
    }
  }

  int size() {
    return workers.size();
  }

  WorkerProcess worker(int index) {
    return workers.get(index);
  }

  /** Returns the process ids of the workers. */
  List<Long> pids() {
    return workers.stream().map(WorkerProcess::pid).toList();
  }

  void kill() {
    workers.forEach(WorkerProcess::kill);
  }

  @Override
  public void close() {
    workers.forEach(WorkerProcess::close);
  }
}
