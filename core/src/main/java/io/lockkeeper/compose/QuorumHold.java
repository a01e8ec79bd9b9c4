package io.lockkeeper.compose;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.QuorumLease;
import io.lockkeeper.QuorumToken;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease at a majority of nodes, from the first grant on.
 *
 * <p>It counts once it is {@linkplain #form formed}. It is valid at every moment at which a
 * majority of its node leases are, so two of one name never are: their majorities share a node,
 * whose two leases are not valid at once. That does not depend on which nodes they are, so a node
 * that was lost may be replaced by its next lease.
 *
 * <p>It ends once, see {@link LeaseEnd}. A lease that is granted after that is given back by {@link
 * #join}: it puts the lease into its slot first and looks at the end then, while who ends it does
 * that the other way round.
 */
final class QuorumHold implements QuorumLease {

  private static final long HEAL_NANOS = 500_000_000;
  private static final long OWNER_NANOS = 1_000_000_000;
  private static final int OWNER_TIMER = -1;

  private final QuorumLockView lock;
  private final boolean fixed;
  private final AtomicReferenceArray<@Nullable Lease> nodes;
  private final LeaseEnd ending;

  /** The tasks for later: to ask a node again, or to look at the owner. */
  private final Map<Integer, Scheduler.Cancellable> timers = new ConcurrentHashMap<>();

  private volatile boolean formed;

  /**
   * Whether somebody has seen that it lacked a majority since it was formed. Never false again:
   * with nodes that come back later it would seem to have been held all the time.
   */
  private volatile boolean wasShort;

  QuorumHold(QuorumLockView lock, boolean fixed) {
    this.lock = lock;
    this.fixed = fixed;
    this.nodes = new AtomicReferenceArray<>(lock.size());
    this.ending = new LeaseEnd(lock.host(), lock::name);
  }

  // ------------------------------------------------------------- nodes

  /**
   * Takes the lease of a node in; gives it back if this hold is over, or lacks a majority without
   * that node: others may have had one meanwhile.
   */
  void join(int node, Lease lease) {
    if (formed) {
      settle();
    }
    nodes.set(node, lease);
    if (ending.hasCome()) {
      giveBack(lease);
      return;
    }
    CompletionStage<LeaseLost> loss = lease.lost();
    loss.thenAccept(news -> nodeLost(node, lease, news));
  }

  /** Counts from now on, if a majority is valid; returns whether it does. */
  boolean form() {
    formed = true;
    return isValid();
  }

  private void nodeLost(int node, Lease lease, LeaseLost news) {
    nodes.compareAndSet(node, lease, null);
    if (!formed || ending.hasCome()) {
      return;
    }
    if (isValid()) {
      missing(node);
    } else {
      lose(news);
    }
  }

  boolean isAt(int node) {
    return nodes.get(node) != null;
  }

  /** Asks a node that this hold lacks again later, unless the hold is for a fixed time. */
  void missing(int node) {
    if (!fixed) {
      long pause = HEAL_NANOS + lock.host().random(HEAL_NANOS);
      schedule(node, () -> ask(node), pause);
    }
  }

  private void ask(int node) {
    if (ending.hasCome() || nodes.get(node) != null) {
      return;
    }
    CompletionStage<Lease> asked =
        lock.node(node).acquireAsync(AcquireOptions.defaults().withWait(lock.nodeTimeout()));
    asked.whenComplete(
        (lease, failure) -> {
          if (lease != null) {
            join(node, lease);
          } else if (!(failure instanceof LockkeeperClosedException) && !ending.hasCome()) {
            missing(node);
          }
        });
  }

  private void schedule(int key, Runnable task, long delayNanos) {
    Scheduler.Cancellable before = timers.put(key, lock.host().later(task, delayNanos));
    if (before != null) {
      before.cancel();
    }
    if (ending.hasCome()) {
      cancelTimers();
    }
  }

  private void cancelTimers() {
    timers.values().forEach(Scheduler.Cancellable::cancel);
  }

  /** Ends this hold when a thread has died. */
  void watch(Thread owner) {
    schedule(
        OWNER_TIMER,
        () -> {
          if (!owner.isAlive()) {
            lose(new LeaseLost(ResourceKind.LOCK, name(), 0, LeaseLost.Reason.OWNER_DIED));
          } else if (!ending.hasCome()) {
            watch(owner);
          }
        },
        OWNER_NANOS);
  }

  // ------------------------------------------------------------- asking

  @Override
  public String name() {
    return lock.name();
  }

  @Override
  public QuorumToken token() {
    LeaseLost loss = settle();
    if (loss != null) {
      throw new LeaseLostException(loss);
    }
    if (ending.hasCome()) {
      throw new IllegalStateException("this lease of '" + name() + "' was released");
    }
    List<Long> tokens = new ArrayList<>();
    int count = 0;
    for (int node = 0; node < nodes.length(); node++) {
      Lease lease = nodes.get(node);
      boolean isHeld = lease != null && lease.isValid();
      tokens.add(isHeld ? Objects.requireNonNull(lease).token() : 0);
      count += isHeld ? 1 : 0;
    }
    return count < lock.majority() ? token() : QuorumToken.of(tokens); // a node was lost meanwhile
  }

  @Override
  public boolean isValid() {
    boolean isShort = wasShort || nodes() < lock.majority();
    if (isShort && formed) {
      wasShort = true;
    }
    return !isShort && !ending.hasCome();
  }

  @Override
  public int nodes() {
    int count = 0;
    for (int node = 0; node < nodes.length(); node++) {
      Lease lease = nodes.get(node);
      count += lease != null && lease.isValid() ? 1 : 0;
    }
    return ending.hasCome() ? 0 : count;
  }

  @Override
  public Duration remaining() {
    List<Duration> left = new ArrayList<>();
    for (int node = 0; node < nodes.length(); node++) {
      Lease lease = nodes.get(node);
      left.add(lease == null ? Duration.ZERO : lease.remaining());
    }
    left.sort(Comparator.reverseOrder());
    return ending.hasCome() || wasShort ? Duration.ZERO : left.get(lock.majority() - 1);
  }

  @Override
  public void onLost(Consumer<? super LeaseLost> action) {
    ending.onLost(action);
  }

  @Override
  public CompletionStage<LeaseLost> lost() {
    return ending.lost();
  }

  // ------------------------------------------------------------- ending

  boolean isReleased() {
    return ending.isRelease();
  }

  /** Notices a loss that nobody has told yet; returns the loss, or null if there is none. */
  @Nullable LeaseLost settle() {
    if (!ending.hasCome() && !isValid()) {
      lose(findLoss());
    }
    return ending.loss();
  }

  private LeaseLost findLoss() {
    for (int node = 0; node < nodes.length(); node++) {
      Lease lease = nodes.get(node);
      LeaseLost loss = lease == null || lease.isValid() ? null : giveBack(lease);
      if (loss != null) {
        return loss;
      }
    }
    return new LeaseLost(ResourceKind.LOCK, name(), 0, LeaseLost.Reason.EXPIRED);
  }

  private void lose(LeaseLost loss) {
    if (ending.lose(loss)) {
      giveAllBack();
      ending.tell(loss);
    }
  }

  /** Gives back what was granted in vain. */
  void abandon() {
    if (ending.release()) {
      giveAllBack();
    }
  }

  private void giveAllBack() {
    cancelTimers();
    LeaseParts.Failed failed = new LeaseParts.Failed();
    for (int node = 0; node < nodes.length(); node++) {
      Lease lease = nodes.get(node);
      if (lease != null) {
        failed.unless(lease::release);
      }
    }
    failed.rethrowUnexpected();
  }

  /** Releases the lease of one node; returns its loss if it turns out to be lost. */
  private static @Nullable LeaseLost giveBack(Lease lease) {
    try {
      lease.release();
      return null;
    } catch (LeaseLostException over) {
      return over.loss();
    }
  }

  @Override
  public void release() {
    LeaseLost loss = settle();
    if (loss == null) {
      abandon();
    } else if (ending.holderIsToHear()) {
      throw new LeaseLostException(loss);
    }
  }

  /** Counts only nodes that it was held at: one that never granted it confirms nothing. */
  @Override
  public CompletionStage<Void> releaseAsync() {
    List<Lease> held = new ArrayList<>();
    for (int node = 0; node < nodes.length(); node++) {
      Lease lease = nodes.get(node);
      if (lease != null) {
        held.add(lease);
      }
    }
    try {
      release();
    } catch (LeaseLostException over) {
      return CompletableFuture.failedStage(over);
    }
    int needed = Math.min(lock.majority(), held.size()); // fewer if nodes were lost just now
    CompletableFuture<Void> confirmed = new CompletableFuture<>();
    AtomicInteger missing = new AtomicInteger(needed);
    AtomicInteger spare = new AtomicInteger(held.size() - needed);
    if (needed == 0) {
      confirmed.complete(null);
    }
    for (Lease lease : held) {
      CompletionStage<Void> released = lease.releaseAsync();
      released.whenComplete(
          (done, failure) -> {
            if (failure == null || failure instanceof LeaseLostException) { // which holds nothing
              if (missing.decrementAndGet() == 0) {
                confirmed.complete(null);
              }
            } else if (spare.decrementAndGet() < 0) {
              confirmed.completeExceptionally(failure);
            }
          });
    }
    return confirmed.minimalCompletionStage();
  }

  @Override
  public void close() {
    release();
  }

  @Override
  public String toString() {
    return "lease of '" + name() + "' at " + nodes() + " of " + nodes.length() + " nodes";
  }
}
