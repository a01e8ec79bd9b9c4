package io.lockkeeper.compose;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.MultiLease;
import io.lockkeeper.MultiLock;
import io.lockkeeper.compose.MultiLocks.Member;
import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Several locks as one.
 *
 * <p>A thread's hold is made of the members' own holds by that thread, so that re-entry works
 * through them as well; what ties them together is a {@link LeaseParts} of their leases.
 */
final class MultiLockView implements MultiLock {

  private final List<DistributedLock> locks;
  private final List<Member> ordered;
  private final Host host;

  /** The holds of each thread. Only that thread touches them. */
  @SuppressWarnings("ThreadLocalUsage") // a hold goes by object and thread, and dies with either
  private final ThreadLocal<@Nullable Held> held = new ThreadLocal<>();

  /** A thread's hold: its bundle, and how often the thread has locked it. */
  private static final class Held extends Entries {

    final LeaseParts bundle;

    Held(LeaseParts bundle) {
      this.bundle = bundle;
    }
  }

  MultiLockView(List<DistributedLock> locks, List<Member> ordered) {
    this.locks = locks;
    this.ordered = ordered;
    this.host = ordered.get(0).host();
  }

  @Override
  public List<DistributedLock> locks() {
    return locks;
  }

  // ------------------------------------------------------------- as a lock

  /** How one member is taken. */
  private interface Taking<E extends Exception> {
    boolean take(DistributedLock lock) throws E;
  }

  @Override
  public void lock() {
    lockFor(null);
  }

  @Override
  public void lock(AcquireOptions options) {
    if (options.maxWait().isEmpty()) {
      lockFor(options.fixedLease().orElse(null));
      return;
    }
    Deadline wait = Deadline.begin(host, options.maxWait().get());
    this.<RuntimeException>take(
        lock -> {
          Duration left = Duration.ofNanos(wait.leftNanos());
          lock.lock(AcquireOptions.defaults().withWait(left));
          return true;
        },
        options.fixedLease().orElse(null));
  }

  private void lockFor(@Nullable Duration lease) {
    this.<RuntimeException>take(
        lock -> {
          lock.lock();
          return true;
        },
        lease);
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    throwIfInterrupted();
    this.<InterruptedException>take(
        lock -> {
          lock.lockInterruptibly();
          return true;
        },
        null);
  }

  @Override
  public boolean tryLock() {
    return this.<RuntimeException>take(DistributedLock::tryLock, null);
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return tryLock(Deadline.begin(host, unit.toNanos(time)), null);
  }

  @Override
  public boolean tryLock(AcquireOptions options) throws InterruptedException {
    Deadline wait = Deadline.begin(host, options.maxWait().orElse(null));
    return tryLock(wait, options.fixedLease().orElse(null));
  }

  private boolean tryLock(Deadline wait, @Nullable Duration lease) throws InterruptedException {
    throwIfInterrupted();
    return this.<InterruptedException>take(
        lock -> !wait.isOver() && lock.tryLock(wait.leftNanos(), TimeUnit.NANOSECONDS), lease);
  }

  /** Takes all members in their order, or none. */
  private <E extends Exception> boolean take(Taking<E> taking, @Nullable Duration lease) throws E {
    if (reenter()) {
      return true;
    }
    while (true) {
      List<LeaseParts.Part> parts = takeAll(taking);
      if (parts == null) {
        return false;
      }
      LeaseParts bundle = new LeaseParts(host, parts, end(lease)).watched();
      held.set(new Held(bundle));
      if (bundle.settle() == null) {
        return true;
      }
      held.remove(); // the first was lost while the last was waited for
      leaveAll(bundle.parts());
    }
  }

  /** Takes all members; returns null, with none of them held, if one was not granted. */
  private <E extends Exception> @Nullable List<LeaseParts.Part> takeAll(Taking<E> taking) throws E {
    List<LeaseParts.Part> parts = new ArrayList<>();
    boolean isComplete = false;
    try {
      for (Member member : ordered) {
        boolean own = !member.lock().isHeldByCurrentThread();
        if (!taking.take(member.lock())) {
          return null;
        }
        parts.add(new LeaseParts.Part(member.placed().heldOnce(), member.index(), own));
      }
      isComplete = true;
      return parts;
    } finally {
      if (!isComplete) {
        leaveAll(parts);
      }
    }
  }

  /** Enters again if the current thread holds this lock. */
  private boolean reenter() {
    Held mine = mine();
    if (mine == null) {
      return false;
    }
    boolean again = mine.enter(mine.bundle.settle(), this);
    if (!again) {
      held.remove(); // this is a new beginning
      leaveAll(mine.bundle.parts());
    }
    return again;
  }

  @Override
  public void unlock() {
    Held mine = require();
    mine.count--;
    LeaseLost loss = mine.bundle.settle();
    if (mine.count > 0) {
      if (loss != null) {
        throw new LeaseLostException(loss);
      }
      return;
    }
    held.remove();
    if (mine.bundle.end()) {
      unlockAll(mine.bundle);
      return;
    }
    leaveAll(mine.bundle.parts());
    loss = mine.bundle.settle();
    if (loss != null) {
      throw new LeaseLostException(loss);
    }
  }

  private void unlockAll(LeaseParts bundle) {
    LeaseParts.Failed failed = new LeaseParts.Failed();
    for (int i = ordered.size() - 1; i >= 0; i--) {
      failed.unless(ordered.get(i).lock()::unlock);
    }
    bundle.tell(failed);
  }

  /** Unlocks what is left of members that were locked, the last first. Waits for no store. */
  private void leaveAll(List<LeaseParts.Part> parts) {
    LeaseParts.Failed failed = new LeaseParts.Failed();
    for (int i = parts.size() - 1; i >= 0; i--) {
      StoreBoundLock lock = ordered.get(i).placed();
      Lease once = parts.get(i).lease();
      failed.unless(() -> lock.leave(once));
    }
    failed.rethrowUnexpected();
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a multi-lock has no conditions");
  }

  private long end(@Nullable Duration lease) {
    return lease == null ? LeaseParts.NO_END : host.nanos() + lease.toNanos();
  }

  private static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  // ------------------------------------------------------------- asking

  /** Returns the current thread's hold, lost ones included, or null. */
  private @Nullable Held mine() {
    Held mine = held.get();
    if (mine != null && mine.bundle.isReleased()) {
      held.remove(); // through its lease, maybe by another thread
      leaveAll(mine.bundle.parts());
      return null;
    }
    return mine;
  }

  private Held require() {
    Held mine = mine();
    if (mine == null) {
      throw new IllegalMonitorStateException(
          this + " is not locked by thread '" + Thread.currentThread().getName() + "'");
    }
    return mine;
  }

  @Override
  public List<Long> tokens() {
    LeaseParts bundle = require().bundle;
    LeaseLost loss = bundle.settle();
    if (loss != null) {
      throw new LeaseLostException(loss);
    }
    return bundle.tokens();
  }

  @Override
  public MultiLease heldLease() {
    return require().bundle;
  }

  @Override
  public boolean isHeldByCurrentThread() {
    Held mine = mine();
    return mine != null && mine.bundle.isValid();
  }

  @Override
  public int getHoldCount() {
    Held mine = mine();
    return mine != null && mine.bundle.isValid() ? mine.count : 0;
  }

  // ------------------------------------------------------------- as a source of leases

  @Override
  public MultiLease acquire(AcquireOptions options) throws InterruptedException {
    Deadline wait = Deadline.begin(host, options.maxWait().orElse(null));
    return acquire(wait, options.fixedLease().orElse(null)).orElseThrow(() -> timedOut(wait));
  }

  AcquireTimeoutException timedOut(Deadline wait) {
    return host.timedOut(this + " was not granted within " + DurationText.of(wait.limit()));
  }

  @Override
  public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
    return acquire(Deadline.begin(host, wait), null);
  }

  private Optional<MultiLease> acquire(Deadline wait, @Nullable Duration lease)
      throws InterruptedException {
    throwIfInterrupted();
    while (true) {
      List<LeaseParts.Part> parts = acquireAll(wait);
      if (parts == null) {
        return Optional.empty();
      }
      LeaseParts bundle = bundle(parts, lease);
      if (bundle.settle() == null) {
        return Optional.of(bundle);
      }
    }
  }

  LeaseParts bundle(List<LeaseParts.Part> parts, @Nullable Duration lease) {
    return new LeaseParts(host, parts, end(lease)).watched();
  }

  private @Nullable List<LeaseParts.Part> acquireAll(Deadline wait) throws InterruptedException {
    List<LeaseParts.Part> parts = new ArrayList<>();
    boolean isComplete = false;
    try {
      for (Member member : ordered) {
        Lease lease = wait.isOver() ? null : acquireOne(member.lock(), wait);
        if (lease == null) {
          return null;
        }
        parts.add(new LeaseParts.Part(lease, member.index(), true));
      }
      isComplete = true;
      return parts;
    } finally {
      if (!isComplete) {
        giveBack(parts);
      }
    }
  }

  private static @Nullable Lease acquireOne(DistributedLock lock, Deadline wait)
      throws InterruptedException {
    return wait.isUnlimited() ? lock.acquire() : lock.tryAcquire(wait.left()).orElse(null);
  }

  /** Releases what was taken in vain, the last first. Waits for no store. */
  static void giveBack(List<LeaseParts.Part> parts) {
    LeaseParts.Failed failed = new LeaseParts.Failed();
    for (int i = parts.size() - 1; i >= 0; i--) {
      failed.unless(parts.get(i).lease()::releaseAsync);
    }
    failed.rethrowUnexpected();
  }

  @Override
  public CompletionStage<MultiLease> acquireAsync(AcquireOptions options) {
    Deadline wait = Deadline.begin(host, options.maxWait().orElse(null));
    return new AsyncMulti(this, ordered, wait, options.fixedLease().orElse(null)).begin();
  }

  @Override
  public String toString() {
    return locks.stream()
        .map(DistributedLock::name)
        .collect(Collectors.joining(", ", "multiLock[", "]"));
  }
}
