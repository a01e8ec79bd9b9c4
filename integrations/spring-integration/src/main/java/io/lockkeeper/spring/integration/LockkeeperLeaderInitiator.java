package io.lockkeeper.spring.integration;

import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Term;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * Takes part in an election for a role of Spring Integration, in place of its {@code
 * LockRegistryLeaderInitiator}. The candidate that is first in line is notified when the leader
 * steps down; nobody polls.
 *
 * <pre>{@code
 * @Bean
 * LockkeeperLeaderInitiator leaderInitiator(Lockkeeper keeper) {
 *   return new LockkeeperLeaderInitiator(keeper, new DefaultCandidate("shop-1", "reports"));
 * }
 * }</pre>
 *
 * <p>The election is {@link Lockkeeper#leaderElection(String)} of the candidate's role. A grant
 * calls the candidate on a thread of its own, and then publishes an {@code OnGrantedEvent}, on
 * which Spring Integration starts the endpoints of the role. The end of the term interrupts that
 * thread if the candidate still works on it, waits for it, calls {@link Candidate#onRevoked} and
 * publishes an {@code OnRevokedEvent}; only then does the candidate wait for its next term. A
 * candidate that throws, also an {@code Error}, steps down and stays away for half a second; an
 * event listener that throws is logged, and the candidate goes on. A store that does not answer
 * publishes an {@code OnFailedToAcquireMutexEvent}, and is asked again.
 *
 * <p>Thread-safe.
 */
public final class LockkeeperLeaderInitiator
    implements SmartLifecycle, ApplicationEventPublisherAware {

  /** As with Spring Integration's own: among the last to start and the first to stop. */
  private static final int PHASE = Integer.MAX_VALUE - 1000;

  /** How long a candidate that has failed stays away, in milliseconds: it would fail again. */
  private static final long PAUSE_MILLIS = 500;

  private static final System.Logger LOG =
      System.getLogger(LockkeeperLeaderInitiator.class.getName());

  private final Lockkeeper keeper;
  private final Candidate candidate;
  private volatile @Nullable LeaderEventPublisher events;
  private final AtomicReference<@Nullable Part> part = new AtomicReference<>();

  private final Context context =
      new Context() {
        @Override
        public boolean isLeader() {
          return term().isPresent();
        }

        /** Steps down and goes to the end of the queue. */
        @Override
        public void yield() {
          Part current = part.get();
          if (current != null) {
            current.election.resign();
          }
        }

        @Override
        public String getRole() {
          return candidate.getRole();
        }
      };

  /** Creates one that is not yet a candidate; {@link #start} makes it one. */
  public LockkeeperLeaderInitiator(Lockkeeper keeper, Candidate candidate) {
    this.keeper = Objects.requireNonNull(keeper, "keeper");
    this.candidate = Objects.requireNonNull(candidate, "candidate");
  }

  @Override
  public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
    events = new DefaultLeaderEventPublisher(publisher);
  }

  /** Sets what publishes the events, in place of the application's context. */
  public void setLeaderEventPublisher(LeaderEventPublisher publisher) {
    events = Objects.requireNonNull(publisher, "publisher");
  }

  /** Returns whether this candidate leads now, and how it steps down. */
  public Context getContext() {
    return context;
  }

  /** Returns this candidate's term, with its fencing token, if it leads now. */
  public Optional<Term> term() {
    Part current = part.get();
    return current == null ? Optional.empty() : current.election.term();
  }

  @Override
  public void start() {
    Part started = new Part(keeper.leaderElection(candidate.getRole()));
    if (part.compareAndSet(null, started)) {
      started.election.start(started);
    }
  }

  /** Stops being a candidate; a leader's term is over at once. */
  @Override
  public void stop() {
    stop(() -> {});
  }

  /** Stops, and calls back when the candidate has heard that it leads no more. */
  @Override
  public void stop(Runnable callback) {
    Part stopped = part.getAndSet(null);
    if (stopped == null) {
      callback.run();
      return;
    }
    stopped.election.close();
    stopped.end.countDown();
    var unused = stopped.revoked.thenRun(callback);
  }

  @Override
  public boolean isRunning() {
    return part.get() != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** A wait of a thread that goes on waiting if it is interrupted. */
  @FunctionalInterface
  private interface Waiting {
    void await() throws InterruptedException;
  }

  private static void uninterruptibly(Waiting waiting) {
    boolean interrupted = false;
    while (true) {
      try {
        waiting.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The part in one election, between a start and a stop. */
  private final class Part implements LeaderListener {

    private final LeaderElection election;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean failed;
    private volatile CompletableFuture<@Nullable Void> revoked =
        CompletableFuture.completedFuture(null);
    private @Nullable Thread work; // one call at a time

    Part(LeaderElection election) {
      this.election = election;
    }

    @Override
    public void elected(Term term) {
      revoked = new CompletableFuture<>();
      work = null;
      try {
        Thread thread = new Thread(() -> lead(term), "leader of " + election.name());
        thread.setDaemon(true);
        thread.start();
        work = thread;
      } catch (Throwable e) { // an Error too: without a thread nobody would work
        stepDown(term);
        warn("has no thread to lead on, and steps down", e);
      }
    }

    private void lead(Term term) {
      try {
        candidate.onGranted(context);
      } catch (InterruptedException e) { // mostly because the term is over
        stepDown(term);
        return;
      } catch (Throwable e) { // an Error too: a leader that does not work keeps the others out
        stepDown(term);
        warn("failed, and steps down", e);
        return;
      }
      if (term.isValid()) {
        publish(
            publisher ->
                publisher.publishOnGranted(
                    LockkeeperLeaderInitiator.this, context, election.name()));
      }
    }

    /** Publishes an event; a listener of it that throws does not change who leads. */
    private void publish(Consumer<LeaderEventPublisher> event) {
      LeaderEventPublisher publisher = events;
      if (publisher != null) {
        try {
          event.accept(publisher);
        } catch (Throwable e) {
          warn("goes on: a listener of its events failed", e);
        }
      }
    }

    private void warn(String what, Throwable failure) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the candidate for the role '" + election.name() + "' " + what,
          failure);
    }

    private void stepDown(Term term) {
      failed = term.isValid();
      election.resign();
    }

    @Override
    public void lost(Term term) {
      endWork();
      try {
        candidate.onRevoked(context);
      } catch (Throwable e) { // the endpoints of the role are to stop all the same
        warn("failed when its term ended", e);
      }
      publish(
          publisher ->
              publisher.publishOnRevoked(LockkeeperLeaderInitiator.this, context, election.name()));
      revoked.complete(null);
      if (failed) {
        failed = false;
        uninterruptibly(() -> end.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
      }
    }

    private void endWork() {
      Thread thread = work;
      if (thread != null) {
        thread.interrupt();
        uninterruptibly(thread::join);
      }
    }

    @Override
    public void failed(LockkeeperException failure) {
      publish(
          publisher ->
              publisher.publishOnFailedToAcquire(
                  LockkeeperLeaderInitiator.this, context, election.name()));
    }
  }
}
