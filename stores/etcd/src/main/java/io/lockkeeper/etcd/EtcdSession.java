package io.lockkeeper.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.support.Deadlines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One client's etcd leases, and its mark.
 *
 * <p>The session is a lease that is kept alive: when the client is gone, so is everything bound to
 * it. Passing leases are not kept alive, and hold what is needed only for a while. Neither says
 * anything about how long a grant lasts.
 *
 * <p>The mark is a key of this client alone, under the session. Each of its transactions demands
 * that the mark is as it was last written. After one whose outcome is unknown the mark is written
 * anew, so a request that is still under way somewhere can no longer succeed once any later one
 * has: not after a minute, when notes of deletions are gone, nor after an hour, when a server that
 * stood still goes on. If the client cannot write, its session ends and the mark with it.
 */
final class EtcdSession {

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The condition under which a transaction is this client's.
   *
   * @param lease the session
   * @param revision at which the mark was written
   */
  record Mark(long lease, long revision) {}

  /** A lease, as soon as it is there. */
  private record Granted(CompletableFuture<Long> id, long askedNanos) {}

  private final KV keys;
  private final Lease leases;
  private final ByteSequence markKey;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final Deadlines deadlines;
  private final Duration timeout;
  private final Duration passes;
  private final Runnable onNewSession;

  private final AtomicReference<@Nullable Granted> session = new AtomicReference<>();
  private final AtomicReference<@Nullable Granted> passing = new AtomicReference<>();
  private final AtomicReference<@Nullable CompletableFuture<Mark>> mark = new AtomicReference<>();
  private volatile @Nullable CloseableClient keepAlive;
  private volatile boolean isClosed;

  /**
   * Creates it.
   *
   * @param timeout after which the servers end the session of a silent client
   * @param passes how long what is under a passing lease is needed
   * @param onNewSession is run when a session has taken the place of one that ended
   */
  EtcdSession(
      Client client,
      ByteSequence markKey,
      TimeSource time,
      Scheduler scheduler,
      Deadlines deadlines,
      Duration timeout,
      Duration passes,
      Runnable onNewSession) {
    this.keys = client.getKVClient();
    this.leases = client.getLeaseClient();
    this.markKey = markKey;
    this.time = time;
    this.scheduler = scheduler;
    this.deadlines = deadlines;
    this.timeout = timeout;
    this.passes = passes;
    this.onNewSession = onNewSession;
  }

  // ------------------------------------------------------------- the mark

  /** Returns the mark that transactions are to demand. */
  CompletableFuture<Mark> mark() {
    CompletableFuture<Mark> known = mark.get();
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    CompletableFuture<Mark> next = new CompletableFuture<>();
    if (!mark.compareAndSet(known, next)) {
      return mark();
    }
    Granted current = session();
    var unused =
        current
            .id()
            .thenCompose(this::writeMark)
            .whenComplete(
                (written, failure) -> {
                  if (failure == null) {
                    next.complete(written);
                  } else {
                    next.completeExceptionally(failure);
                    if (EtcdFailures.isLeaseOver(failure)) {
                      renewSession(current);
                    }
                  }
                });
    return next;
  }

  private CompletableFuture<Mark> writeMark(long lease) {
    PutOption bound = PutOption.builder().withLeaseId(lease).build();
    return deadlines
        .limit(keys.put(markKey, ByteSequence.EMPTY, bound))
        .thenApply(answer -> new Mark(lease, answer.getHeader().getRevision()));
  }

  /** Writes the mark anew, unless that has been done since a transaction demanded this one. */
  void doubt(Mark used) {
    CompletableFuture<Mark> known = mark.get();
    if (known != null
        && !isClosed
        && known.isDone()
        && (known.isCompletedExceptionally() || known.join().equals(used))
        && mark.compareAndSet(known, null)) {
      var unused = mark();
    }
  }

  // ------------------------------------------------------------- leases

  /** Returns a lease that lasts for as long as notes of deletions are needed. */
  CompletableFuture<Long> passing() {
    Granted granted = passing.get();
    if (granted != null
        && !granted.id().isCompletedExceptionally()
        && time.nanos() - granted.askedNanos() < passes.toNanos()) {
      return granted.id();
    }
    Granted next = new Granted(new CompletableFuture<>(), time.nanos());
    if (!passing.compareAndSet(granted, next)) {
      return passing();
    }
    grant(passes.multipliedBy(2).plus(timeout), next);
    return next.id();
  }

  /** Takes no passing lease of before any more: one of them has ended. */
  void forgetPassing() {
    passing.set(null);
  }

  private Granted session() {
    Granted granted = session.get();
    if (granted != null && !granted.id().isCompletedExceptionally()) {
      return granted;
    }
    Granted next = new Granted(new CompletableFuture<>(), time.nanos());
    if (!session.compareAndSet(granted, next)) {
      return session();
    }
    grant(timeout, next);
    var unused = next.id().thenAccept(id -> keepAlive(id, next));
    return next;
  }

  private void grant(Duration lasts, Granted next) {
    var unused =
        EtcdRecordStore.limited(deadlines, () -> leases.grant(lasts.toSeconds()))
            .thenApply(LeaseGrantResponse::getID)
            .whenComplete(
                (id, failure) -> {
                  if (failure != null) {
                    next.id().completeExceptionally(failure);
                  } else {
                    next.id().complete(id);
                  }
                });
  }

  private void keepAlive(long id, Granted granted) {
    if (isClosed) {
      var unused = revoke(id);
      return;
    }
    keepAlive =
        leases.keepAlive(
            id,
            new StreamObserver<LeaseKeepAliveResponse>() {
              @Override
              public void onNext(LeaseKeepAliveResponse alive) {}

              @Override
              public void onError(Throwable failure) {
                if (EtcdFailures.isLeaseOver(failure)) { // otherwise the driver goes on by itself
                  renewSession(granted);
                }
              }

              @Override
              public void onCompleted() {
                renewSession(granted); // not heard of for too long: it may be over
              }
            });
  }

  /** Begins another session, and again until there is one. */
  private void renewSession(Granted ended) {
    if (isClosed || !session.compareAndSet(ended, null)) {
      return;
    }
    endKeepAlive();
    var unused = revoke(ended.id().join()); // what was bound to it goes now, if it has not gone
    mark.set(null);
    beginSession();
  }

  private void beginSession() {
    if (isClosed) {
      return;
    }
    var unused =
        mark()
            .whenComplete(
                (begun, failure) -> {
                  if (failure == null) {
                    onNewSession.run();
                  } else {
                    scheduler.schedule(this::beginSession, PAUSE_NANOS);
                  }
                });
  }

  private CompletableFuture<?> revoke(long id) {
    return EtcdRecordStore.limited(deadlines, () -> leases.revoke(id));
  }

  private void endKeepAlive() {
    CloseableClient old = keepAlive;
    if (old != null) {
      old.close();
    }
  }

  /** Ends the session. What is there for a while stays for that. */
  CompletableFuture<?> close() {
    isClosed = true;
    endKeepAlive();
    Granted granted = session.get();
    return granted == null || !granted.id().isDone() || granted.id().isCompletedExceptionally()
        ? CompletableFuture.completedFuture(null)
        : revoke(granted.id().join());
  }
}
