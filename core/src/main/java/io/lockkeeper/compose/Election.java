package io.lockkeeper.compose;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Leader;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.Term;
import io.lockkeeper.spi.Scheduler;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One part in an election: a candidate waits for a lock in strict order, and who holds it leads.
 *
 * <p>A candidate goes through the same circle again and again: it stands (its request waits), leads
 * (it has a term), is notified of the end, and stands again. Callbacks go through a queue, so that
 * they alternate; standing again is the last step of the one that tells of an end.
 */
public final class Election implements LeaderElection {

  private static final long RETRY_NANOS = 500_000_000;

  /**
   * The time from one term to the next of a candidate that nobody else wants to follow: one that
   * resigns whenever it is elected would go round as fast as the store answers.
   */
  private static final long TERM_NANOS = 100_000_000;

  private final String name;
  private final Host host;
  private final DistributedLock lock;
  private final SerialQueue callbacks;

  /** Guards the fields below. Nothing of anybody else's is called under it. */
  private final ReentrantLock mutex = new ReentrantLock();

  private boolean closed;
  private @Nullable CompletableFuture<Lease> asked;
  private Scheduler.Cancellable retry = () -> {};

  /** Set once, under the mutex. */
  private volatile @Nullable LeaderListener listener;

  /** Written under the mutex, read without it by those who want to know. */
  private volatile @Nullable Reign reign;

  /**
   * Makes a part in an election.
   *
   * @param lock the lock of the election, in strict order
   */
  public Election(String name, Host host, DistributedLock lock) {
    this.name = name;
    this.host = host;
    this.lock = lock;
    this.callbacks = host.serialQueue("election '" + name + "'");
  }

  /** The term of the candidate that holds the lease. */
  private static final class Reign implements Term {

    private final String election;
    final Lease lease;
    final long sinceNanos;

    /** Why it ended, if it was lost. */
    volatile @Nullable LeaseLost loss;

    Reign(String election, Lease lease, long sinceNanos) {
      this.election = election;
      this.lease = lease;
      this.sinceNanos = sinceNanos;
    }

    @Override
    public String election() {
      return election;
    }

    @Override
    public long token() {
      return lease.token();
    }

    @Override
    public boolean isValid() {
      return lease.isValid();
    }

    @Override
    public Duration remaining() {
      return lease.remaining();
    }

    @Override
    public String toString() {
      return "term " + token() + " of election '" + election + "'";
    }
  }

  @Override
  public String name() {
    return name;
  }

  // ------------------------------------------------------------- the circle

  @Override
  public void start(LeaderListener hears) {
    Objects.requireNonNull(hears, "listener");
    if (host.isClosed()) {
      throw new LockkeeperClosedException("election '" + name + "': this client is closed");
    }
    mutex.lock();
    try {
      if (closed || listener != null) {
        throw new IllegalStateException(
            "election '" + name + "' was " + (closed ? "closed" : "started") + " before");
      }
      listener = hears;
    } finally {
      mutex.unlock();
    }
    stand();
  }

  @Override
  public <E extends Exception> void runWhileLeader(LeaderElection.Work<E> body)
      throws E, InterruptedException {
    Objects.requireNonNull(body, "body");
    LeaderRun run = new LeaderRun();
    start(run);
    try {
      Term term = run.await();
      if (run.begin()) {
        try {
          body.run(term);
        } finally {
          run.end();
        }
      }
      if (!term.isValid()) {
        LeaseLost known = term instanceof Reign mine ? mine.loss : null;
        throw new LeaseLostException(
            known != null
                ? known
                : new LeaseLost(
                    ResourceKind.LEADER_ELECTION, name, term.token(), LeaseLost.Reason.EXPIRED));
      }
    } finally {
      close();
    }
  }

  /** Goes to the end of the line; if it cannot, it tries again later. */
  private void stand() {
    if (isClosed()) {
      return;
    }
    CompletableFuture<Lease> request;
    try {
      request = lock.acquireAsync().toCompletableFuture();
    } catch (Throwable failure) { // an error too: a candidate goes on
      host.reportFailure("election '" + name + "': a candidate cannot stand", failure);
      standLater();
      return;
    }
    boolean isWanted;
    mutex.lock();
    try {
      asked = request;
      isWanted = !closed;
    } finally {
      mutex.unlock();
    }
    if (!isWanted) {
      request.cancel(false);
    }
    CompletionStage<Lease> answer = request;
    answer.whenComplete(this::answered);
  }

  private void answered(@Nullable Lease lease, @Nullable Throwable failure) {
    if (lease != null) {
      lead(lease);
    } else if (failure instanceof LockkeeperClosedException) {
      close();
    } else if (failure instanceof LockkeeperException known) {
      put(hears -> hears.failed(known));
      callbacks.drain();
      standLater();
    } else if (!isClosed()) { // nothing that a store says
      host.reportFailure(
          "election '" + name + "': a candidate cannot stand", Objects.requireNonNull(failure));
      standLater();
    }
  }

  private void standLater() {
    standLater(RETRY_NANOS + host.random(RETRY_NANOS));
  }

  private void standAfter(Reign over) {
    long pause = over.sinceNanos + TERM_NANOS - host.nanos();
    if (pause > 0) {
      standLater(pause);
    } else {
      stand();
    }
  }

  private void standLater(long pauseNanos) {
    Scheduler.Cancellable timer = host.later(this::stand, pauseNanos);
    boolean isWanted;
    mutex.lock();
    try {
      retry = timer;
      isWanted = !closed;
    } finally {
      mutex.unlock();
    }
    if (!isWanted) {
      timer.cancel();
    }
  }

  private void lead(Lease lease) {
    Reign mine = new Reign(name, lease, host.nanos());
    boolean isWanted;
    mutex.lock();
    try {
      isWanted = !closed;
      if (isWanted) {
        reign = mine;
        put(hears -> hears.elected(mine)); // here, so that its end comes after it
      }
    } finally {
      mutex.unlock();
    }
    callbacks.drain();
    if (!isWanted) {
      letGo(lease);
      return;
    }
    try {
      CompletionStage<LeaseLost> loss = lease.lost();
      loss.thenAccept(
          news -> {
            mine.loss = news;
            end(mine);
          });
    } catch (Throwable failure) { // an error too: it must learn of its end
      host.reportFailure("election '" + name + "': a term ends at once", failure);
      end(mine);
    }
  }

  /** Ends a term, once. */
  private void end(Reign over) {
    boolean isMine;
    boolean goesOn;
    mutex.lock();
    try {
      isMine = reign == over;
      if (isMine) {
        reign = null;
      }
      goesOn = !closed;
    } finally {
      mutex.unlock();
    }
    if (isMine) {
      letGo(over.lease);
      put(hears -> hears.lost(over));
      if (goesOn) {
        callbacks.add(() -> standAfter(over)); // after that callback
      }
      callbacks.drain();
    }
  }

  private void letGo(Lease lease) {
    try {
      lease.release();
    } catch (LeaseLostException over) {
      // that is what its end may be about
    } catch (Throwable failure) { // an error too: the listener must learn of the end
      host.reportFailure("election '" + name + "': a term was not given back", failure);
      if (!host.isClosed()) {
        host.later(() -> letGo(lease), RETRY_NANOS); // it would be renewed for ever
      }
    }
  }

  /** A notification of a listener. */
  private interface News {
    void to(LeaderListener listener);
  }

  private void put(News news) {
    LeaderListener hears = listener;
    if (hears != null) {
      callbacks.add(() -> news.to(hears));
    }
  }

  @Override
  public void resign() {
    Reign mine = reign;
    if (mine != null) {
      end(mine);
    }
  }

  @Override
  public void close() {
    CompletableFuture<Lease> request;
    Scheduler.Cancellable timer;
    mutex.lock();
    try {
      closed = true;
      request = asked;
      timer = retry;
    } finally {
      mutex.unlock();
    }
    timer.cancel();
    if (request != null) {
      request.cancel(false); // does nothing to one that was granted
    }
    if (listener instanceof LeaderRun run) {
      run.closed("election '" + name + "': closed");
    }
    resign();
  }

  // ------------------------------------------------------------- asking

  private boolean isClosed() {
    mutex.lock();
    try {
      return closed;
    } finally {
      mutex.unlock();
    }
  }

  @Override
  public boolean isLeader() {
    Reign mine = reign;
    return mine != null && mine.isValid();
  }

  @Override
  public Optional<Term> term() {
    Reign mine = reign;
    return mine != null && mine.isValid() ? Optional.of(mine) : Optional.empty();
  }

  @Override
  public Optional<Leader> leader() {
    return host.holder(ResourceKind.LEADER_ELECTION, name)
        .map(holder -> new Leader(holder.clientId(), holder.clientName(), holder.token()));
  }

  @Override
  public String toString() {
    return "election['" + name + "']";
  }
}
