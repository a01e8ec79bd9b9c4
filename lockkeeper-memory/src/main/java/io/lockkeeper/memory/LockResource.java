package io.lockkeeper.memory;

import io.lockkeeper.memory.ClaimQueue.Waiting;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule of the queue for locks: one holder, and runs.
 *
 * <p>Each operation first hears its caller (its waiting claims stay alive), then notices a grant
 * that is over, then does its own work. In between operations there is never a live claim in the
 * queue of a resource without a holder.
 */
final class LockResource implements Resource {

  private final String namespace;
  private final String name;
  private final Journal journal;
  private final ClaimQueue queue = new ClaimQueue();
  private @Nullable Holding holding;

  /** The largest token of the latest block, less what its holder gave back; 0 at first. */
  private long lastToken;

  LockResource(String namespace, String name, Journal journal) {
    this.namespace = namespace;
    this.name = name;
    this.journal = journal;
  }

  @Override
  public ClaimAnswer claim(Step step, ClaimRequest request) {
    begin(step);
    if (holding == null) {
      return new ClaimAnswer.Granted(grantAtOnce(step, request));
    }
    Holding current = mine(step);
    if (current != null && current.covers(request.claim())) {
      current.confirm(step.afterMillis(request.leaseMillis()));
      return new ClaimAnswer.Granted(answer(step, current));
    }
    if (request.queue() && !isKnown(step, request.claim())) {
      enqueue(step, request);
    }
    Queued place = place(step, request.claim());
    return place == null ? new ClaimAnswer.Busy() : place;
  }

  /** Puts the requeued claim into the queue before the next is let in. */
  @Override
  public ReleaseAnswer release(Step step, ReleaseRequest request) {
    queue.heard(step.clientId(), step.heartbeatMicros());
    forgetIfOver(step);
    Holding ended = mine(step);
    boolean released =
        ended != null && ended.grant == request.grant() && request.isAbout(ended.firstToken);
    if (ended != null && released) {
      giveBack(ended, request.usedToken());
      holding = null;
    }
    ClaimRequest requeue = request.requeue();
    if (requeue != null && !isKnown(step, requeue.claim())) {
      enqueue(step, requeue);
    }
    admit(step);
    Holding next = mine(step);
    return new ReleaseAnswer(
        released,
        next == null ? null : answer(step, next),
        requeue == null ? null : place(step, requeue.claim()));
  }

  @Override
  public void withdraw(Step step, long claim) {
    forgetIfOver(step);
    admit(step);
    if (queue.remove(new ClaimId(step.clientId(), claim))) {
      return;
    }
    Holding current = mine(step);
    if (current != null && current.covers(claim) && current.withdraw(claim)) {
      holding = null;
      admit(step);
    }
  }

  @Override
  public RenewAnswer renew(Step step, RenewRequest request) {
    forgetIfOver(step);
    admit(step);
    Holding current = mine(step);
    boolean renewed = current != null && current.grant == request.grant();
    if (current != null && renewed) {
      current.confirm(step.afterMillis(request.leaseMillis()));
    }
    return new RenewAnswer(renewed, queue.hasOthers(step.clientId(), step.nowMicros()));
  }

  @Override
  public LookAnswer look(Step step, LookRequest request) {
    begin(step);
    Holding current = mine(step);
    if (current != null) {
      return new LookAnswer.Granted(answer(step, current));
    }
    Queued place = place(step, request.claim());
    if (place == null) {
      return new LookAnswer.Gone();
    }
    Waiting first = queue.firstLive(step.nowMicros());
    if (first != null && first.arrival() == place.arrival()) {
      tellHolderThatItIsWanted(step);
    }
    return place;
  }

  @Override
  public Inspection inspect(long nowMicros) {
    Holding current = holding;
    Inspection.Holder holder =
        current == null || current.isOver(nowMicros) ? null : current.inspect(nowMicros);
    return new Inspection(holder, queue.inspect(nowMicros));
  }

  @Override
  public Forced forceRelease(Step step, ForceRequest request) {
    forgetIfOver(step);
    Holding current = holding;
    boolean isMeant =
        current != null && request.isAbout(current.clientId, current.grant, current.firstToken);
    if (current != null && isMeant) {
      step.outbox().revoked(current.clientId, name);
      holding = null;
    }
    admit(step);
    return new Forced(isMeant);
  }

  @Override
  public Resized resize(Step step, ResizeRequest request) {
    throw new IllegalStateException("a lock has no limit");
  }

  @Override
  public boolean isForgettable(long nowMicros) {
    return isIdle() && lastToken < nowMicros;
  }

  @Override
  public boolean isIdle() {
    return holding == null && queue.isEmpty();
  }

  @Override
  public ResourceState state(long nowMicros) {
    return new ResourceState(
        namespace,
        name,
        holding == null ? List.of() : List.of(holding.state(nowMicros)),
        queue.state(nowMicros),
        queue.heartbeats(),
        lastToken);
  }

  private void begin(Step step) {
    queue.heard(step.clientId(), step.heartbeatMicros());
    forgetIfOver(step);
    admit(step);
  }

  private void forgetIfOver(Step step) {
    if (holding != null && holding.isOver(step.nowMicros())) {
      holding = null;
    }
  }

  /** Lets the next run in, if nobody holds the resource. */
  private void admit(Step step) {
    if (holding != null) {
      return;
    }
    List<Waiting> run = queue.takeRun(step.nowMicros(), Store.MAX_RUN);
    if (run.isEmpty()) {
      return;
    }
    Waiting first = run.get(0);
    long tokens = run.stream().mapToLong(w -> w.request().tokens()).sum();
    Holding next = grant(step, first.id().clientId(), claims(run), tokens, first.request().label());
    long lease = Step.micros(first.request().leaseMillis());
    next.beginUnconfirmed(step.nowMicros() + Math.min(lease, first.claimDeadlineMicros()));
    journal.write(record(step, next, run, true));
    step.outbox().granted(next.clientId, name, toGrant(step, next));
  }

  private Grant grantAtOnce(Step step, ClaimRequest request) {
    Holding granted =
        grant(step, step.clientId(), List.of(request.claim()), request.tokens(), request.label());
    granted.confirm(step.afterMillis(request.leaseMillis()));
    Waiting only = waiting(step, request);
    journal.write(record(step, granted, List.of(only), false));
    return toGrant(step, granted);
  }

  private Holding grant(Step step, String clientId, List<Long> claims, long tokens, String label) {
    long firstToken = Math.max(lastToken + 1, step.nowMicros());
    lastToken = firstToken + tokens - 1;
    Holding granted = new Holding(clientId, claims, firstToken, lastToken, label, step.nowMicros());
    holding = granted;
    return granted;
  }

  private void giveBack(Holding ended, long usedToken) {
    if (usedToken > ended.lastToken) {
      throw new IllegalStateException(
          "used token " + usedToken + " is not in the block up to " + ended.lastToken);
    }
    lastToken = Math.max(usedToken, ended.firstToken - 1);
  }

  private void enqueue(Step step, ClaimRequest request) {
    Holding current = holding;
    boolean firstOfOthers =
        current != null
            && !current.belongsTo(step.clientId())
            && !queue.hasOthers(current.clientId, step.nowMicros());
    queue.add(waiting(step, request), step.heartbeatMicros());
    if (firstOfOthers) {
      tellHolderThatItIsWanted(step);
    }
  }

  private void tellHolderThatItIsWanted(Step step) {
    Holding current = holding;
    if (current != null && current.hasTokensToSpare()) {
      step.outbox().wanted(current.clientId, name);
    }
  }

  private Waiting waiting(Step step, ClaimRequest request) {
    return new Waiting(
        new ClaimId(step.clientId(), request.claim()),
        request,
        journal.nextArrival(),
        step.claimDeadlineMicros(),
        step.nowMicros());
  }

  /** Returns the caller's grant, if the resource is the caller's. */
  private @Nullable Holding mine(Step step) {
    Holding current = holding;
    return current != null && current.belongsTo(step.clientId()) ? current : null;
  }

  /** Returns whether a claim of the caller is granted or waits. */
  private boolean isKnown(Step step, long claim) {
    Holding current = mine(step);
    return (current != null && current.covers(claim))
        || queue.get(new ClaimId(step.clientId(), claim)) != null;
  }

  /** Returns where a claim of the caller waits, or null if it does not. */
  private @Nullable Queued place(Step step, long claim) {
    Waiting waiting = queue.get(new ClaimId(step.clientId(), claim));
    Holding current = holding;
    if (waiting == null || current == null) {
      return null;
    }
    return new Queued(
        step.nowMicros(), current.remainingMicros(step.nowMicros()), waiting.arrival());
  }

  /** Returns the grant for the caller's answer, which makes the hint of it needless. */
  private Grant answer(Step step, Holding current) {
    step.outbox().answered(step.clientId(), name, current.grant);
    return toGrant(step, current);
  }

  private Grant toGrant(Step step, Holding current) {
    return current.toGrant(step.nowMicros(), queue.hasOthers(current.clientId, step.nowMicros()));
  }

  private static List<Long> claims(List<Waiting> run) {
    return run.stream().map(w -> w.id().claim()).toList();
  }

  private GrantRecord record(Step step, Holding granted, List<Waiting> run, boolean fromQueue) {
    return new GrantRecord(
        namespace,
        name,
        granted.clientId,
        granted.grant,
        1,
        granted.firstToken,
        granted.lastToken,
        run.stream().map(w -> new GrantRecord.Admitted(w.id().claim(), w.arrival())).toList(),
        step.nowMicros(),
        fromQueue);
  }
}
