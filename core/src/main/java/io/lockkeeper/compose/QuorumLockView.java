package io.lockkeeper.compose;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.QuorumLease;
import io.lockkeeper.QuorumLock;
import io.lockkeeper.QuorumToken;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A lock over the nodes of a quorum. Its holds by thread belong to the quorum, not to it. */
final class QuorumLockView implements QuorumLock {

  private final QuorumNodes quorum;
  private final String name;
  private final List<DistributedLock> nodes;
  private final Duration nodeTimeout;

  /** A thread's hold, and how often the thread has locked it. */
  static final class Held extends Entries {

    final QuorumHold hold;

    Held(QuorumHold hold) {
      this.hold = hold;
    }
  }

  QuorumLockView(
      QuorumNodes quorum, String name, List<DistributedLock> nodes, Duration nodeTimeout) {
    this.quorum = quorum;
    this.name = name;
    this.nodes = List.copyOf(nodes);
    this.nodeTimeout = nodeTimeout;
  }

  int size() {
    return nodes.size();
  }

  int majority() {
    return quorum.majority();
  }

  DistributedLock node(int index) {
    return nodes.get(index);
  }

  Duration nodeTimeout() {
    return nodeTimeout;
  }

  Host host() {
    return quorum.host();
  }

  @Override
  public String name() {
    return name;
  }

  // ------------------------------------------------------------- as a source of leases

  @Override
  public CompletionStage<QuorumLease> acquireAsync(AcquireOptions options) {
    return begin(options);
  }

  private CompletableFuture<QuorumLease> begin(AcquireOptions options) {
    Deadline wait = Deadline.begin(host(), options.maxWait().orElse(null));
    return new QuorumTaking(this, wait, options.fixedLease().orElse(null)).begin();
  }

  @Override
  public QuorumLease acquire(AcquireOptions options) throws InterruptedException {
    throwIfInterrupted();
    if (options.maxWait().isEmpty() && isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "this thread holds '"
              + name
              + "' by lock() and would wait for itself: a lease never"
              + " re-enters; use heldLease() or limit the wait");
    }
    return await(begin(options));
  }

  @Override
  public Optional<QuorumLease> tryAcquire(Duration wait) throws InterruptedException {
    try {
      return Optional.of(acquire(AcquireOptions.defaults().withWait(wait)));
    } catch (AcquireTimeoutException over) {
      return Optional.empty();
    }
  }

  private static QuorumLease await(CompletableFuture<QuorumLease> future)
      throws InterruptedException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      if (!future.cancel(false) && !future.isCompletedExceptionally()) {
        giveBack(future.join());
      }
      throw e;
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private static QuorumLease awaitThroughInterrupts(CompletableFuture<QuorumLease> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  private static RuntimeException failure(Exception wrapped) {
    return wrapped.getCause() instanceof RuntimeException failure
        ? failure
        : new CancellationException(String.valueOf(wrapped.getMessage()));
  }

  private static void giveBack(QuorumLease lease) {
    try {
      lease.release();
    } catch (LeaseLostException over) {
      // nobody counted on it
    }
  }

  private static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  // ------------------------------------------------------------- as a lock

  @Override
  public void lock() {
    lock(AcquireOptions.defaults());
  }

  @Override
  public void lock(AcquireOptions options) {
    if (!reenter()) {
      hold(awaitThroughInterrupts(begin(options)));
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    throwIfInterrupted();
    if (!reenter()) {
      hold(await(begin(AcquireOptions.defaults())));
    }
  }

  @Override
  public boolean tryLock() {
    if (reenter()) {
      return true;
    }
    try {
      hold(awaitThroughInterrupts(begin(AcquireOptions.defaults().withWait(Duration.ZERO))));
      return true;
    } catch (AcquireTimeoutException taken) {
      return false;
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return tryLock(AcquireOptions.defaults().withWait(Duration.ofNanos(unit.toNanos(time))));
  }

  @Override
  public boolean tryLock(AcquireOptions options) throws InterruptedException {
    throwIfInterrupted();
    if (reenter()) {
      return true;
    }
    try {
      hold(await(begin(options)));
      return true;
    } catch (AcquireTimeoutException over) {
      return false;
    }
  }

  private void hold(QuorumLease lease) {
    QuorumHold hold = (QuorumHold) lease;
    quorum.held().put(name, new Held(hold));
    hold.watch(Thread.currentThread());
  }

  /** Enters again if the current thread holds this lock. */
  private boolean reenter() {
    Held mine = mine();
    if (mine == null) {
      return false;
    }
    boolean again = mine.enter(mine.hold.settle(), this);
    if (!again) {
      quorum.held().remove(name); // this is a new beginning
      mine.hold.abandon();
    }
    return again;
  }

  @Override
  public void unlock() {
    Held mine = require();
    LeaseLost loss = mine.hold.settle();
    mine.count--;
    if (mine.count == 0) {
      quorum.held().remove(name);
      mine.hold.abandon();
    }
    if (loss != null) {
      throw new LeaseLostException(loss);
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a lock over a quorum has no conditions");
  }

  // ------------------------------------------------------------- asking

  /** Returns the current thread's hold, lost ones included, or null. */
  private @Nullable Held mine() {
    Held mine = quorum.held().get(name);
    if (mine != null && mine.hold.isReleased()) {
      quorum.held().remove(name); // through its lease, maybe by another thread
      return null;
    }
    return mine;
  }

  private Held require() {
    Held mine = mine();
    if (mine == null) {
      throw new IllegalMonitorStateException(
          "'" + name + "' is not locked by thread '" + Thread.currentThread().getName() + "'");
    }
    return mine;
  }

  @Override
  public QuorumToken token() {
    return require().hold.token();
  }

  @Override
  public QuorumLease heldLease() {
    return require().hold;
  }

  @Override
  public boolean isHeldByCurrentThread() {
    Held mine = mine();
    return mine != null && mine.hold.isValid();
  }

  @Override
  public int getHoldCount() {
    Held mine = mine();
    return mine != null && mine.hold.isValid() ? mine.count : 0;
  }

  @Override
  public String toString() {
    return "lock['" + name + "' at a " + quorum + "]";
  }
}
