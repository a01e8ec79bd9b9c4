package io.lockkeeper.memory;

import io.lockkeeper.memory.ClaimQueue.Verdict;
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
import io.lockkeeper.spi.ResourceKind;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rule of the queue for what is shared: several grants side by side, each of a number of
 * permits.
 *
 * <p>Each operation first hears its caller, then drops the grants that are over and lets in whom
 * that makes room for, then does its own work. So in between operations nobody alive waits whom the
 * rule would let in, but for the passing of time.
 */
final class PoolResource implements Resource {

  private final String namespace;
  private final String name;
  private final ResourceKind kind;
  private final Journal journal;
  private final ClaimQueue queue = new ClaimQueue();
  private final Map<ClaimId, Holding> grants = new LinkedHashMap<>();

  /**
   * Which requests a copy of is to change nothing, and until when that is known: at a barrier the
   * claims that were taken back, at a semaphore the changes of the limit. In the order of their
   * coming.
   */
  private final Map<ClaimId, Long> remembered = new LinkedHashMap<>();

  /** How many permits there are; unset while it is out of use and was never resized. */
  private int limit = Inspection.UNSET;

  private boolean resized;

  /** The sum of the permits of all grants. */
  private long out;

  private long lastToken;

  PoolResource(String namespace, String name, ResourceKind kind, Journal journal) {
    this.namespace = namespace;
    this.name = name;
    this.kind = kind;
    this.journal = journal;
  }

  @Override
  public ClaimAnswer claim(Step step, ClaimRequest request) {
    begin(step);
    ClaimId id = new ClaimId(step.clientId(), request.claim());
    if (isRemembered(id, step.nowMicros())) {
      return new ClaimAnswer.Busy();
    }
    Holding granted = grants.get(id);
    if (granted != null) {
      granted.confirm(step.afterMillis(request.leaseMillis()));
      return new ClaimAnswer.Granted(answer(step, granted));
    }
    if (queue.get(id) == null) {
      if (limit == Inspection.UNSET) {
        limit = request.share().limit();
      }
      if (mayEnter(step, request.share())) {
        return new ClaimAnswer.Granted(grantAtOnce(step, request));
      }
      if (request.queue()) {
        queue.add(waiting(step, request), step.heartbeatMicros());
      }
    }
    settle();
    Queued place = place(step, id);
    return place == null ? new ClaimAnswer.Busy() : place;
  }

  @Override
  public ReleaseAnswer release(Step step, ReleaseRequest request) {
    queue.heard(step.clientId(), step.heartbeatMicros());
    dropThoseOver(step);
    ClaimId id = id(step, request.owner(), request.grant());
    boolean released = end(id);
    if (released && !id.clientId().equals(step.clientId())) {
      step.outbox().revoked(id.clientId(), name);
    }
    admit(step);
    return new ReleaseAnswer(released, null, null);
  }

  @Override
  public void withdraw(Step step, long claim) {
    dropThoseOver(step);
    ClaimId id = new ClaimId(step.clientId(), claim);
    if (!queue.remove(id)) {
      end(id);
    }
    if (kind == ResourceKind.BARRIER) {
      remembered.remove(id);
      remembered.put(id, step.afterMillis(Store.WITHDRAWN_MILLIS));
    }
    admit(step);
  }

  @Override
  public RenewAnswer renew(Step step, RenewRequest request) {
    dropThoseOver(step);
    Holding granted = grants.get(id(step, request.owner(), request.grant()));
    if (granted != null) {
      granted.confirm(step.afterMillis(request.leaseMillis()));
      if (request.permits() > 0) {
        out -= granted.shrink(request.permits());
      }
    }
    admit(step);
    return new RenewAnswer(granted != null, false);
  }

  @Override
  public LookAnswer look(Step step, LookRequest request) {
    begin(step);
    ClaimId id = new ClaimId(step.clientId(), request.claim());
    Holding granted = grants.get(id);
    if (granted != null) {
      return new LookAnswer.Granted(answer(step, granted));
    }
    Queued place = place(step, id);
    return place == null ? new LookAnswer.Gone() : place;
  }

  @Override
  public Inspection inspect(long nowMicros) {
    List<Inspection.Holder> holders =
        grants.values().stream()
            .filter(holding -> !holding.isOver(nowMicros))
            .map(holding -> holding.inspect(nowMicros))
            .toList();
    List<Inspection.Waiter> waiting = queue.inspect(nowMicros);
    boolean inUse = resized || !holders.isEmpty() || !waiting.isEmpty();
    long held = holders.stream().mapToLong(Inspection.Holder::permits).sum();
    return new Inspection(holders, waiting, inUse ? limit : Inspection.UNSET, held);
  }

  @Override
  public Forced forceRelease(Step step, ForceRequest request) {
    dropThoseOver(step);
    List<ClaimId> meant =
        grants.entrySet().stream()
            .filter(
                entry ->
                    request.isAbout(
                        entry.getKey().clientId(),
                        entry.getKey().claim(),
                        entry.getValue().firstToken))
            .map(Map.Entry::getKey)
            .toList();
    meant.forEach(this::end);
    meant.stream()
        .map(ClaimId::clientId)
        .distinct()
        .forEach(client -> step.outbox().revoked(client, name));
    admit(step);
    return new Forced(!meant.isEmpty());
  }

  @Override
  public Resized resize(Step step, ResizeRequest request) {
    dropThoseOver(step);
    admit(step);
    ClaimId id = new ClaimId(step.clientId(), request.number());
    long after = request.after(limit);
    boolean isNew = !isRemembered(id, step.nowMicros());
    boolean fits = request.fits(after);
    if (isNew && fits) {
      remembered.put(id, step.afterMillis(request.rememberMillis()));
      resized = request.kind() != ResizeRequest.Kind.GIVE_UP;
      if (resized) {
        limit = (int) after;
      }
      admit(step);
    }
    return new Resized(!isNew || fits, limit);
  }

  @Override
  public boolean isForgettable(long nowMicros) {
    forget(nowMicros);
    return isIdle() && remembered.isEmpty() && lastToken < nowMicros;
  }

  @Override
  public boolean isIdle() {
    return !resized && grants.isEmpty() && queue.isEmpty();
  }

  @Override
  public ResourceState state(long nowMicros) {
    return new ResourceState(
        namespace,
        name,
        grants.values().stream().map(holding -> holding.state(nowMicros)).toList(),
        queue.state(nowMicros),
        queue.heartbeats(),
        lastToken);
  }

  private void begin(Step step) {
    queue.heard(step.clientId(), step.heartbeatMicros());
    dropThoseOver(step);
    admit(step);
  }

  private void dropThoseOver(Step step) {
    grants
        .values()
        .removeIf(
            holding -> {
              boolean over = holding.isOver(step.nowMicros());
              out -= over ? holding.permits() : 0;
              return over;
            });
  }

  private boolean isRemembered(ClaimId id, long nowMicros) {
    forget(nowMicros);
    return remembered.containsKey(id);
  }

  private void forget(long nowMicros) {
    Iterator<Long> ends = remembered.values().iterator();
    while (ends.hasNext() && ends.next() <= nowMicros) {
      ends.remove();
    }
  }

  /** Ends a grant and returns whether it was there. */
  private boolean end(ClaimId id) {
    Holding ended = grants.remove(id);
    if (ended != null) {
      out -= ended.permits();
    }
    return ended != null;
  }

  /** Forgets a limit that belonged to claims which are all gone. */
  private void settle() {
    if (isIdle()) {
      limit = Inspection.UNSET;
    }
  }

  private void admit(Step step) {
    if (kind == ResourceKind.BARRIER) {
      while (limit > 0 && queue.countLive(step.nowMicros()) >= limit) {
        admitFirst(step, limit);
      }
    } else {
      queue.take(step.nowMicros(), new Door()).forEach(waiting -> grant(step, waiting));
    }
    settle();
  }

  private void admitFirst(Step step, int count) {
    int[] left = {count};
    queue
        .take(step.nowMicros(), waiting -> left[0]-- > 0 ? Verdict.ENTER : Verdict.STOP)
        .forEach(waiting -> grant(step, waiting));
  }

  /**
   * Returns whether a new claim is let in at once; a barrier lets in the rest of its group then.
   */
  private boolean mayEnter(Step step, Share share) {
    if (kind == ResourceKind.BARRIER) {
      boolean complete = queue.countLive(step.nowMicros()) == limit - 1;
      if (complete) {
        admitFirst(step, limit - 1);
      }
      return complete;
    }
    return share.permits() <= limit - out
        && (share.overtakes()
            || queue.firstLive(step.nowMicros(), w -> permits(w) <= limit) == null);
  }

  private void grant(Step step, Waiting waiting) {
    Holding granted = let(step, waiting);
    long lease = Step.micros(waiting.request().leaseMillis());
    if (kind == ResourceKind.BARRIER) {
      granted.confirm(step.nowMicros() + lease); // keeps nobody out, and must not be missed
    } else {
      granted.beginUnconfirmed(step.nowMicros() + Math.min(lease, waiting.claimDeadlineMicros()));
    }
    journal.write(record(step, granted, waiting, true));
    step.outbox().granted(granted.clientId, name, granted.toGrant(step.nowMicros(), false));
  }

  private Grant grantAtOnce(Step step, ClaimRequest request) {
    Waiting only = waiting(step, request);
    Holding granted = let(step, only);
    granted.confirm(step.afterMillis(request.leaseMillis()));
    journal.write(record(step, granted, only, false));
    return granted.toGrant(step.nowMicros(), false);
  }

  private Holding let(Step step, Waiting waiting) {
    lastToken = Math.max(lastToken + 1, step.nowMicros());
    int permits = permits(waiting);
    String label = waiting.request().label();
    Holding granted = new Holding(waiting.id(), permits, lastToken, label, step.nowMicros());
    grants.put(waiting.id(), granted);
    out += permits;
    return granted;
  }

  private Waiting waiting(Step step, ClaimRequest request) {
    return new Waiting(
        new ClaimId(step.clientId(), request.claim()),
        request,
        journal.nextArrival(),
        step.claimDeadlineMicros(),
        step.nowMicros());
  }

  private @Nullable Queued place(Step step, ClaimId id) {
    Waiting waiting = queue.get(id);
    if (waiting == null) {
      return null;
    }
    long firstEnd =
        grants.values().stream()
            .mapToLong(holding -> holding.remainingMicros(step.nowMicros()))
            .min()
            .orElse(Step.micros(step.timings().heartbeatMillis()));
    return new Queued(step.nowMicros(), firstEnd, waiting.arrival());
  }

  /** Returns the grant for the caller's answer, which makes the hint of it needless. */
  private Grant answer(Step step, Holding granted) {
    step.outbox().answered(step.clientId(), name, granted.grant);
    return granted.toGrant(step.nowMicros(), false);
  }

  private static ClaimId id(Step step, @Nullable String owner, long grant) {
    return new ClaimId(owner == null ? step.clientId() : owner, grant);
  }

  private static int permits(Waiting waiting) {
    return waiting.request().share().permits();
  }

  private GrantRecord record(Step step, Holding granted, Waiting waiting, boolean fromQueue) {
    return new GrantRecord(
        namespace,
        name,
        granted.clientId,
        granted.grant,
        granted.permits(),
        granted.firstToken,
        granted.lastToken,
        List.of(new GrantRecord.Admitted(waiting.id().claim(), waiting.arrival())),
        step.nowMicros(),
        fromQueue);
  }

  /** Lets claims in from the head of the queue while their permits last. */
  private final class Door implements Function<Waiting, Verdict> {

    private long left = limit - out;

    /** Whether one that wants more than is left has been passed: only overtakers may enter now. */
    private boolean blocked;

    @Override
    public Verdict apply(Waiting waiting) {
      int permits = permits(waiting);
      if (left <= 0) {
        return Verdict.STOP;
      }
      if (permits <= left && (!blocked || waiting.request().share().overtakes())) {
        left -= permits;
        return Verdict.ENTER;
      }
      blocked |= permits <= limit;
      return Verdict.WAIT;
    }
  }
}
