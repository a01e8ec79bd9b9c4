package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.FileRecorder;
import io.lockkeeper.lab.history.History;
import io.lockkeeper.lab.load.KeeperSubject;
import io.lockkeeper.lab.load.Load;
import io.lockkeeper.lab.load.Register;

/** A worker inside this JVM, for a store that lives in its memory. It cannot be killed. */
final class WorkerThreads implements Worker {

  private static final long JOIN_MILLIS = 30_000;

  private final String name;
  private final FileRecorder recorder;
  private final KeeperSubject subject;
  private final Load load;

  WorkerThreads(WorkerOrder order, Register register) {
    name = order.process();
    recorder = new FileRecorder(History.file(order.historyFolder(), name));
    subject = TortureWorkerCommand.keeper(order, recorder);
    load = new Load(name, order.threads(), order.plan(), subject, register, recorder);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean hasBegun() {
    return true;
  }

  @Override
  public long acquisitions() {
    return load.acquisitions();
  }

  @Override
  public void kill() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void freeze() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void thaw() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void stop() {
    load.stop();
  }

  @Override
  public String awaitEnd() throws InterruptedException {
    boolean ended = load.join(JOIN_MILLIS);
    close();
    return ended ? "" : name + " did not end";
  }

  @Override
  public void close() {
    load.close();
    subject.close();
    recorder.close();
  }
}
