package io.lockkeeper.engine.view;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ReadWriteOptions;
import io.lockkeeper.compose.Host;
import io.lockkeeper.engine.coordination.Requests;
import io.lockkeeper.spi.Share;

/** Shows users a read-write lock: the two sides of one resource. */
final class ReadWriteView implements DistributedReadWriteLock {

  private final Requests requests;
  private final LockView reading;
  private final LockView writing;

  ReadWriteView(Requests requests, Host host, ReadWriteOptions options) {
    this.requests = requests;
    Share one = new Share(1, Share.ALL, options.prefersReaders());
    boolean confirms = options.confirmsRelease();
    Share all = new Share(Share.ALL, Share.ALL, false);
    this.reading = new LockView(requests, host, LockView.Side.READ, one, true, confirms);
    this.writing = new LockView(requests, host, LockView.Side.WRITE, all, true, confirms);
  }

  @Override
  public String name() {
    return requests.name();
  }

  @Override
  public DistributedLock readLock() {
    return reading;
  }

  @Override
  public DistributedLock writeLock() {
    return writing;
  }

  @Override
  public String toString() {
    return "readWriteLock['"
        + name()
        + "' at "
        + requests.resources().runtime().store().describe()
        + "]";
  }
}
