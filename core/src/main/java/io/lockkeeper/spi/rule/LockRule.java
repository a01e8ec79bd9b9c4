package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.rule.LockQueue.Others;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rule of the queue for locks: one holder, and batches.
 *
 * <p>This file is long because it has each operation of the rule.
 *
 * @param <X> what the store throws
 */
public final class LockRule<X extends Exception> implements QueueRule<X> {

  /**
   * A grant that the step has made, also one that it has ended again.
   *
   * @param grant the grant as it began
   * @param batch the claims out of the queue; empty if it was granted to a claim that did not wait
   */
  public record Admission(LockGrant grant, List<StoredClaim> batch) {

    /** Copies the list. */
    public Admission {
      batch = List.copyOf(batch);
    }
  }

  private final String client;
  private final StoreTime time;
  private final LockQueue<X> queue;
  private final List<Notice> notices = new ArrayList<>();
  private final List<Admission> admissions = new ArrayList<>();
  private @Nullable LockGrant holder;
  private long lastToken;

  /** Says if claims of other clients than the holder's wait, as far as the step knows. */
  private Others others = Others.UNKNOWN;

  /** True if the holder came out of the queue in this step and is to be notified of that. */
  private boolean isUntold;

  /**
   * Begins a step.
   *
   * @param client who makes it
   * @param record the lock as it was read
   */
  public LockRule(String client, StoreTime time, LockRecord record, LockQueue<X> queue) {
    LockGrant found = record.holder();
    this.client = client;
    this.time = time;
    this.queue = queue;
    this.holder = found == null ? null : found.pulledBack(time.nowMicros());
    this.lastToken = record.lastToken();
  }

  /** Returns the lock as the step leaves it. */
  public LockRecord record() {
    return new LockRecord(holder, lastToken);
  }

  /** Returns the grants that the step has made, in order. */
  public List<Admission> admissions() {
    return admissions;
  }

  @Override
  public List<Notice> notices() throws X {
    LockGrant granted = holder;
    if (isUntold && granted != null && isNotified(granted)) {
      notices.add(new Notice.Granted(granted.client(), toGrant(granted)));
      isUntold = false;
    }
    return notices;
  }

  @Override
  public ClaimAnswer claim(ClaimRequest request) throws X {
    begin();
    if (holder == null && !time.isClosed()) {
      return new ClaimAnswer.Granted(grantAtOnce(request));
    }
    boolean isGranted = isMine(request.claim());
    if (isGranted && !time.isClosed()) {
      return new ClaimAnswer.Granted(answer(renew(request.leaseMillis())));
    } else if (isGranted) {
      free(); // it may have been over at the other server, and somebody else admitted
    }
    Queued place = isGranted ? null : place(request.claim());
    if (place == null && request.queue()) {
      place = enqueue(request);
    }
    return place == null ? new ClaimAnswer.Busy() : place;
  }

  /** Puts the requeued claim into the queue before the next is admitted. */
  @Override
  public ReleaseAnswer release(ReleaseRequest request) throws X {
    ClaimRequest requeue = request.requeue();
    if (requeue != null) {
      queue.heard();
    }
    forgetIfOver();
    LockGrant ended = mine();
    boolean released =
        ended != null && ended.grant() == request.grant() && request.isAbout(ended.firstToken());
    if (ended != null && released && request.restMillis() > 0) {
      free();
      holder = ended.resting(time.nowMicros(), StoreTime.micros(request.restMillis()));
    } else if (ended != null && released) {
      lastToken = Math.min(lastToken, Math.max(request.usedToken(), ended.firstToken() - 1));
      free();
    }
    released |= rests(request);
    Queued requeued = null;
    if (requeue != null && !isMine(requeue.claim()) && queue.find(requeue.claim()) == null) {
      requeued = enqueue(requeue);
    }
    admit();
    LockGrant next = mine();
    return new ReleaseAnswer(
        released, next == null ? null : answer(next), stillWaits(requeue, requeued));
  }

  /** Returns whether the lock rests as a request says, which came before. */
  private boolean rests(ReleaseRequest request) {
    return request.restMillis() > 0
        && holder != null
        && holder.client().equals(Inspection.Holder.resting(client))
        && holder.grant() == request.grant()
        && request.isAbout(holder.firstToken());
  }

  @Override
  public WithdrawAnswer withdraw(long claim) throws X {
    forgetIfOver();
    admit();
    StoredClaim waiting = queue.find(claim);
    LockGrant current = mine();
    if (waiting != null) {
      queue.remove(waiting);
    } else if (current != null && current.covers(claim)) {
      holder = current.without(claim);
      if (holder.claims().isEmpty()) {
        free();
        admit();
      } else {
        isUntold |= forgetNotice(holder); // it named the claim that is gone
      }
    }
    return WithdrawAnswer.LEFT;
  }

  @Override
  public RenewAnswer renew(RenewRequest request) throws X {
    forgetIfOver();
    admit();
    LockGrant current = mine();
    boolean renewed = current != null && current.grant() == request.grant();
    if (renewed) {
      holder = renew(request.leaseMillis()).labelled(request.label());
    }
    return new RenewAnswer(renewed, queue.hasOthers(client));
  }

  @Override
  public PollAnswer poll(long claim) throws X {
    begin();
    LockGrant current = mine();
    if (current != null) {
      return time.isClosed() ? new PollAnswer.Gone() : new PollAnswer.Granted(answer(current));
    }
    Queued place = place(claim);
    if (place == null) {
      return new PollAnswer.Gone();
    }
    if (mayPassOn()) {
      StoredClaim first = queue.first();
      if (first != null && first.arrival() == place.arrival()) {
        tellHolderThatItIsContended();
      }
    }
    return place;
  }

  @Override
  public Forced forceRelease(ForceRequest request) throws X {
    forgetIfOver();
    LockGrant current = holder;
    boolean isMeant =
        current != null && request.isAbout(current.client(), current.grant(), current.firstToken());
    if (current != null && isMeant) {
      if (!current.isResting()) {
        notices.add(new Notice.Revoked(current.client()));
      }
      free();
    }
    admit();
    return new Forced(isMeant);
  }

  @Override
  public List<HeldGrant> heldByOthers() {
    LockGrant current = holder;
    return current == null || current.isResting() || current.client().equals(client)
        ? List.of()
        : List.of(
            new HeldGrant(
                current.client(), current.grant(), current.firstToken(), current.end().micros()));
  }

  @Override
  public void end(List<HeldGrant> gone) throws X {
    forgetIfOver();
    if (heldByOthers().stream().anyMatch(gone::contains)) {
      free();
    }
    admit();
  }

  @Override
  public Resized resize(ResizeRequest request) {
    throw new IllegalArgumentException("a lock has no limit");
  }

  private void begin() throws X {
    queue.heard();
    forgetIfOver();
    admit();
  }

  private void forgetIfOver() {
    if (holder != null && time.isOver(holder.end().micros())) {
      free();
    }
  }

  private void free() {
    LockGrant ended = holder;
    holder = null;
    isUntold = false;
    others = Others.UNKNOWN;
    if (ended != null) {
      forgetNotice(ended);
    }
  }

  /** Admits the next batch, if nobody holds the lock. */
  private void admit() throws X {
    if (holder != null || time.isClosed()) {
      return;
    }
    LockQueue.Batch next = queue.takeBatch();
    List<StoredClaim> batch = next.claims();
    if (batch.isEmpty()) {
      return;
    }
    StoredClaim first = batch.get(0);
    long tokens = batch.stream().mapToLong(StoredClaim::tokens).sum();
    List<Long> claims = batch.stream().map(StoredClaim::claim).toList();
    long millis = Math.min(first.leaseMillis(), first.deadlineMillis());
    String label = batch.size() == 1 ? first.label() : "";
    LockGrant granted = grant(first.client(), label, claims, tokens, millis, false);
    admissions.add(new Admission(granted, batch));
    others = next.others();
    isUntold = others == Others.UNKNOWN;
    if (!isUntold && isNotified(granted)) {
      notices.add(new Notice.Granted(granted.client(), toGrant(granted)));
    }
  }

  private Grant grantAtOnce(ClaimRequest request) throws X {
    List<Long> claims = List.of(request.claim());
    LockGrant granted =
        grant(client, request.label(), claims, request.tokens(), request.leaseMillis(), true);
    admissions.add(new Admission(granted, List.of()));
    return toGrant(granted);
  }

  private LockGrant grant(
      String to, String label, List<Long> claims, long tokens, long millis, boolean confirmed) {
    long firstToken = time.nextToken(lastToken);
    lastToken = firstToken + tokens - 1;
    LockGrant granted =
        new LockGrant(
            to,
            label,
            claims.get(0),
            claims,
            firstToken,
            lastToken,
            tokens > claims.size(),
            time.nowMicros(),
            LeaseEnd.after(time.nowMicros(), StoreTime.micros(millis)),
            confirmed);
    holder = granted;
    return granted;
  }

  private LockGrant renew(long leaseMillis) {
    LockGrant current = Objects.requireNonNull(holder);
    LockGrant renewed = current.renewed(time.nowMicros(), StoreTime.micros(leaseMillis));
    holder = renewed;
    return renewed;
  }

  private Queued enqueue(ClaimRequest request) throws X {
    LockGrant current = holder;
    boolean isFirstOfOthers =
        current != null
            && mayPassOn()
            && !current.client().equals(client)
            && !queue.hasOthers(current.client());
    long arrival = queue.add(request);
    if (isFirstOfOthers) {
      tellHolderThatItIsContended();
    }
    return queued(arrival);
  }

  /** Returns whether the holder may want to know that others wait. */
  private boolean mayPassOn() {
    return holder != null && holder.hasTokensToSpare() && queue.notifiesOthers();
  }

  private void tellHolderThatItIsContended() {
    if (holder != null) {
      notices.add(new Notice.Contended(holder.client()));
    }
  }

  private boolean isNotified(LockGrant granted) {
    return queue.notifiesOthers() || granted.client().equals(client);
  }

  private @Nullable LockGrant mine() {
    LockGrant current = holder;
    return current != null && current.client().equals(client) ? current : null;
  }

  private boolean isMine(long claim) {
    LockGrant current = mine();
    return current != null && current.covers(claim);
  }

  /** Returns where a claim of the caller waits, or null if it does not. */
  private @Nullable Queued place(long claim) throws X {
    StoredClaim waiting = holder != null || time.isClosed() ? queue.find(claim) : null;
    return waiting == null ? null : queued(waiting.arrival());
  }

  private Queued queued(long arrival) {
    long end = holder == null ? time.nowMicros() : holder.end().micros();
    return new Queued(time.nowMicros(), time.untilMicros(end), arrival);
  }

  /**
   * Returns where a requeued claim waits now, or null if it has been admitted.
   *
   * @param requeued where it was put a moment ago, or null if it was there already
   */
  private @Nullable Queued stillWaits(@Nullable ClaimRequest requeue, @Nullable Queued requeued)
      throws X {
    if (requeue == null || isMine(requeue.claim())) {
      return null;
    }
    return requeued == null ? place(requeue.claim()) : queued(requeued.arrival());
  }

  /** Returns the grant for the caller's answer, which makes the notice of it needless. */
  private Grant answer(LockGrant mine) throws X {
    isUntold = false;
    forgetNotice(mine);
    return toGrant(mine);
  }

  private boolean forgetNotice(LockGrant granted) {
    return notices.removeIf(
        notice -> notice instanceof Notice.Granted && notice.client().equals(granted.client()));
  }

  private Grant toGrant(LockGrant granted) throws X {
    boolean othersWait = others == Others.WAIT || queue.hasOthers(granted.client());
    return granted.toGrant(time.nowMicros(), othersWait);
  }
}
