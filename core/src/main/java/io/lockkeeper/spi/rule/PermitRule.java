package io.lockkeeper.spi.rule;

import io.lockkeeper.ResourceKind;
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
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.rule.StoredClaim.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule of the queue for resources that are shared: several grants side by side, each of a
 * number of permits.
 *
 * @param <X> what the store throws
 */
public final class PermitRule<X extends Exception> implements QueueRule<X> {

  private final String client;
  private final StoreTime time;
  private final PermitTable<X> table;
  private final ResourceKind kind;
  private final boolean isBarrier;
  private final List<Notice> notices = new ArrayList<>();
  private int limit;
  private boolean resized;
  private long lastToken;

  /**
   * Begins a step.
   *
   * @param client who makes it
   * @param record the resource as it was read
   */
  public PermitRule(
      String client, StoreTime time, ResourceKind kind, PermitRecord record, PermitTable<X> table) {
    this.client = client;
    this.time = time;
    this.table = table;
    this.kind = kind;
    this.isBarrier = kind == ResourceKind.BARRIER;
    this.limit = record.limit();
    this.resized = record.resized();
    this.lastToken = record.lastToken();
  }

  /** Returns the resource as the step leaves it. */
  public PermitRecord record() {
    return new PermitRecord(isOutOfUse() ? Inspection.UNSET : limit, resized, lastToken);
  }

  @Override
  public List<Notice> notices() {
    return notices;
  }

  @Override
  public ClaimAnswer claim(ClaimRequest request) throws X {
    begin();
    StoredClaim known = table.find(client, request.claim());
    if (known != null && known.isGranted() && isDoubtful()) {
      table.remove(known); // it may have been over at the other server
    } else if (known != null && known.isGranted()) {
      return new ClaimAnswer.Granted(
          answer(table.renew(known, request.leaseMillis(), known.permits())));
    } else if (known != null && known.isWaiting()) {
      return place(known.arrival());
    } else if (known != null && known.isLive(time.nowMicros())) {
      return new ClaimAnswer.Busy(); // it was taken back
    }
    if (limit == Inspection.UNSET) {
      limit = request.share().limit();
    }
    if (mayEnter(request.share())) {
      StoredClaim granted = table.addGrant(request, nextToken());
      return new ClaimAnswer.Granted(granted.toGrant(time.nowMicros()));
    }
    return request.queue() ? place(table.add(request)) : new ClaimAnswer.Busy();
  }

  @Override
  public ReleaseAnswer release(ReleaseRequest request) throws X {
    table.dropThoseOver();
    String owner = request.owner() == null ? client : request.owner();
    StoredClaim grant = grant(owner, request.grant());
    if (grant != null) {
      table.remove(grant);
      if (!owner.equals(client)) {
        notices.add(new Notice.Revoked(owner));
      }
    }
    admit();
    return new ReleaseAnswer(grant != null, null, null);
  }

  @Override
  public WithdrawAnswer withdraw(long claim) throws X {
    table.dropThoseOver();
    StoredClaim known = table.find(client, claim);
    if (isBarrier) {
      table.remember(claim, known, Store.WITHDRAWN_MILLIS);
    } else if (known != null && known.state() != State.DONE) {
      table.remove(known);
    }
    admit();
    return isBarrier && known != null && known.isGranted()
        ? new WithdrawAnswer(known.token())
        : WithdrawAnswer.LEFT;
  }

  @Override
  public RenewAnswer renew(RenewRequest request) throws X {
    table.dropThoseOver();
    String owner = request.owner() == null ? client : request.owner();
    return renew(request, grant(owner, request.grant()));
  }

  /** Renews several grants of the caller, which are read together. */
  public List<RenewAnswer> renewAll(List<RenewRequest> requests) throws X {
    table.dropThoseOver();
    Map<Long, StoredClaim> mine = new HashMap<>();
    table.grants(client).forEach(grant -> mine.put(grant.claim(), grant));
    List<RenewAnswer> answers = new ArrayList<>();
    for (RenewRequest request : requests) {
      answers.add(renew(request, mine.get(request.grant())));
    }
    return answers;
  }

  private RenewAnswer renew(RenewRequest request, @Nullable StoredClaim grant) throws X {
    if (grant != null) {
      int most = request.permits() > 0 ? request.permits() : grant.permits();
      table.renew(grant, request.leaseMillis(), most);
    }
    admit();
    return new RenewAnswer(grant != null, false);
  }

  @Override
  public PollAnswer poll(long claim) throws X {
    begin();
    StoredClaim known = table.find(client, claim);
    if (known == null || known.state() == State.DONE || (known.isGranted() && isDoubtful())) {
      return new PollAnswer.Gone();
    }
    return known.isGranted() ? new PollAnswer.Granted(answer(known)) : place(known.arrival());
  }

  @Override
  public Forced forceRelease(ForceRequest request) throws X {
    table.dropThoseOver();
    List<StoredClaim> meant =
        table.allGrants().stream()
            .filter(grant -> request.isAbout(grant.client(), grant.claim(), grant.token()))
            .toList();
    for (StoredClaim grant : meant) {
      table.remove(grant);
    }
    meant.stream()
        .map(StoredClaim::client)
        .distinct()
        .forEach(owner -> notices.add(new Notice.Revoked(owner)));
    admit();
    return new Forced(!meant.isEmpty());
  }

  @Override
  public List<HeldGrant> heldByOthers() throws X {
    return table.allGrants().stream()
        .filter(grant -> !grant.client().equals(client))
        .map(PermitRule::held)
        .toList();
  }

  private static HeldGrant held(StoredClaim grant) {
    return new HeldGrant(grant.client(), grant.claim(), grant.token(), grant.end().micros());
  }

  @Override
  public void end(List<HeldGrant> gone) throws X {
    table.dropThoseOver();
    List<StoredClaim> over =
        table.allGrants().stream().filter(grant -> gone.contains(held(grant))).toList();
    for (StoredClaim grant : over) {
      table.remove(grant);
    }
    admit();
  }

  @Override
  public Resized resize(ResizeRequest request) throws X {
    table.dropThoseOver();
    admit();
    StoredClaim known = table.find(client, request.number());
    boolean isNew = known == null || !known.isLive(time.nowMicros());
    long after = request.after(limit);
    boolean fits = request.fits(after);
    if (isNew && fits) {
      table.remember(request.number(), known, request.rememberMillis());
      resized = request.kind() != ResizeRequest.Kind.GIVE_UP;
      if (resized) {
        limit = (int) after;
      }
      admit();
    }
    return new Resized(!isNew || fits, limit);
  }

  private void begin() throws X {
    table.heard();
    table.dropThoseOver();
    admit();
  }

  private @Nullable StoredClaim grant(String owner, long number) throws X {
    StoredClaim found = table.find(owner, number);
    return found != null && found.isGranted() ? found : null;
  }

  /** Returns whether a grant that its client does not know of may be of the past. */
  private boolean isDoubtful() {
    return time.isClosed() && !isBarrier;
  }

  private boolean isOutOfUse() {
    return !resized && table.isEmpty();
  }

  private Admission admission() {
    return new Admission(kind, limit, table.out());
  }

  /** Admits the claims that the rule admits now, and forgets a limit whose claims are all gone. */
  private void admit() throws X {
    Door door = time.isClosed() ? null : admission().door(table);
    if (door != null) {
      admit(door);
    }
    if (isOutOfUse()) {
      limit = Inspection.UNSET;
    }
  }

  private void admit(Door door) throws X {
    for (StoredClaim claim : table.walk(door)) {
      // A member that a barrier admits keeps no other out, and must not miss its grant.
      long lease =
          isBarrier ? claim.leaseMillis() : Math.min(claim.leaseMillis(), claim.deadlineMillis());
      StoredClaim granted = table.grant(claim, lease, nextToken(), isBarrier);
      if (table.notifiesOthers() || granted.client().equals(client)) {
        notices.add(new Notice.Granted(granted.client(), granted.toGrant(time.nowMicros())));
      }
    }
  }

  /** Returns whether a new claim is admitted at once; a barrier admits its group then. */
  private boolean mayEnter(Share share) throws X {
    Admission.Answer answer =
        time.isClosed() ? Admission.Answer.WAITS : admission().of(share, table);
    if (answer == Admission.Answer.ADMITTED_WITH_GROUP) {
      admit(Door.first(limit - 1));
    }
    return answer != Admission.Answer.WAITS;
  }

  private long nextToken() {
    lastToken = time.nextToken(lastToken);
    return lastToken;
  }

  private Queued place(long arrival) {
    Long firstEnd = table.firstEndMicros();
    long nobody = time.isClosed() ? 0 : table.heartbeatMillis();
    long end = firstEnd == null ? time.afterMillis(nobody) : firstEnd;
    return new Queued(time.nowMicros(), time.untilMicros(end), arrival);
  }

  /** Returns the grant for the caller's answer, which makes the notice of it needless. */
  private Grant answer(StoredClaim mine) {
    notices.removeIf(
        notice ->
            notice instanceof Notice.Granted granted
                && granted.client().equals(client)
                && granted.grant().grant() == mine.claim());
    return mine.toGrant(time.nowMicros());
  }
}
