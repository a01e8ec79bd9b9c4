package io.lockkeeper.spi.record;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.rule.ClaimBatch;
import io.lockkeeper.spi.rule.Door;
import io.lockkeeper.spi.rule.LeaseEnd;
import io.lockkeeper.spi.rule.LockQueue;
import io.lockkeeper.spi.rule.PermitTable;
import io.lockkeeper.spi.rule.StoredClaim;
import io.lockkeeper.spi.rule.StoredClaim.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one resource as one step sees and changes them: a list that was read, and what is
 * to be written.
 *
 * <p>Of a long queue only the first claims and the caller's own may have been read. A question that
 * these do not answer ends the step with {@link NeedsMore}.
 */
final class ClaimList implements LockQueue<NeedsMore>, PermitTable<NeedsMore> {

  /** Into how many parts a heartbeat is divided, of which one may pass without a sign of life. */
  private static final int HEARTBEAT_PARTS = 4;

  private final String client;
  private final Timings timings;
  private final Times times;
  private final long nowMicros;
  private final Reading read;
  private final boolean hasSessions;
  private final boolean appends;
  private final Map<String, StoredClaim> claims = new LinkedHashMap<>();

  /** The claims as they were read. */
  private final Map<String, StoredClaim> before;

  /** The names of claims before which there may be others that were not read. */
  private final Set<String> behindGap = new HashSet<>();

  private long lastArrival;

  /**
   * Begins a step.
   *
   * @param client who makes it
   * @param hasSessions whether the store notices by itself that a waiting client is gone
   * @param appends whether the store appends claims, and so says itself which came later
   * @param lastArrival the place that was given last
   */
  ClaimList(
      String client,
      Timings timings,
      Times times,
      Reading read,
      boolean hasSessions,
      boolean appends,
      long lastArrival) {
    this.client = client;
    this.timings = timings;
    this.times = times;
    this.nowMicros = times.now();
    this.read = read;
    this.hasSessions = hasSessions;
    this.appends = appends;
    this.lastArrival = lastArrival;
    for (int i = 0; i < read.entries().size(); i++) {
      Entry entry = read.entries().get(i);
      StoredClaim claim = ClaimText.read(entry, times);
      if (claim.state() != State.DONE || claim.isLive(nowMicros)) {
        claims.put(entry.name(), claim);
      }
      if (i >= read.leading()) {
        behindGap.add(entry.name());
      }
    }
    this.before = Map.copyOf(claims);
  }

  // ------------------------------------------------------------- what came of it

  long lastArrival() {
    return appends ? 0 : lastArrival;
  }

  /** Returns whether nothing at all is kept. */
  boolean isForgettable() {
    return read.isComplete() && claims.isEmpty();
  }

  /** Returns the names of the entries that are no more. */
  List<String> removed() {
    return read.entries().stream().map(Entry::name).filter(n -> !claims.containsKey(n)).toList();
  }

  /** Returns the entries that are new or changed, in order. */
  List<Entry> put() {
    return claims.entrySet().stream()
        .filter(claim -> !claim.getValue().equals(before.get(claim.getKey())))
        .map(claim -> ClaimText.entry(claim.getValue(), hasSessions, appends, times))
        .toList();
  }

  /** Returns the grants that are not over, by token. */
  List<StoredClaim> liveGrants() {
    return granted()
        .filter(grant -> grant.isLive(nowMicros))
        .sorted(Comparator.comparingLong(StoredClaim::token))
        .toList();
  }

  /** Returns the live claims that wait, in order. */
  List<StoredClaim> liveWaiting() {
    return waiting().filter(claim -> claim.isLive(nowMicros)).toList();
  }

  private Stream<StoredClaim> waiting() {
    return claims.values().stream().filter(StoredClaim::isWaiting);
  }

  private Stream<StoredClaim> granted() {
    return claims.values().stream().filter(StoredClaim::isGranted);
  }

  private StoredClaim keep(StoredClaim claim) {
    claims.put(ClaimText.name(claim), claim);
    if (!read.isComplete() && claim.isWaiting()) {
      behindGap.add(ClaimText.name(claim));
    }
    return claim;
  }

  /** Ends the step unless all claims were read. */
  void needAll() throws NeedsMore {
    if (!read.isComplete()) {
      throw new NeedsMore();
    }
  }

  // ------------------------------------------------------------- of a lock and of permits

  @Override
  public boolean notifiesOthers() {
    return true;
  }

  @Override
  public long heartbeatMillis() {
    return timings.heartbeatMillis();
  }

  /**
   * Without a clock that all share, most polls write nothing: only when a part of the heartbeat has
   * passed. With one that would be wrong, because nothing then makes a delayed commit a conflict.
   */
  @Override
  public void heard() {
    LeaseEnd alive = new LeaseEnd(endOfSilence(), 0);
    long grace = nowMicros > 0 ? 0 : 1_000 * timings.heartbeatMillis() / HEARTBEAT_PARTS;
    claims.replaceAll(
        (name, claim) ->
            claim.isWaiting()
                    && claim.client().equals(client)
                    && claim.end().micros() <= alive.micros() - grace
                ? claim.until(alive)
                : claim);
  }

  @Override
  public long add(ClaimRequest request) {
    heard();
    return keep(arrived(request)).arrival();
  }

  /**
   * Claims for different resources are compared too: who came last is to yield in a deadlock. Where
   * there is no time, moments of readings tell which came later. Those that were appended since may
   * have later places.
   */
  private StoredClaim arrived(ClaimRequest request) {
    long moment = nowMicros > 0 ? nowMicros : ResourceHead.floor(read.moment());
    long before = waiting().mapToLong(StoredClaim::arrival).reduce(lastArrival, Math::max);
    lastArrival = Math.max(before + 1, moment);
    return StoredClaim.waiting(
        client, request, nowMicros, lastArrival, endOfSilence(), timings.claimDeadlineMillis());
  }

  @Override
  public void remove(StoredClaim claim) {
    claims.remove(ClaimText.name(claim));
  }

  /** Returns until when a claim lives of whose client nothing is heard. */
  private long endOfSilence() {
    return hasSessions ? Long.MAX_VALUE : afterMillis(timings.heartbeatMillis());
  }

  private long afterMillis(long millis) {
    return nowMicros + 1_000 * millis;
  }

  // ------------------------------------------------------------- of a lock

  @Override
  public @Nullable StoredClaim find(long claim) {
    return claims.get(ClaimText.name(client, claim));
  }

  @Override
  public @Nullable StoredClaim first() throws NeedsMore {
    for (StoredClaim claim : claims.values()) {
      needUpTo(claim);
      if (claim.isWaiting() && claim.isLive(nowMicros)) {
        return claim;
      }
    }
    needAll();
    return null;
  }

  private void needUpTo(StoredClaim claim) throws NeedsMore {
    if (behindGap.contains(ClaimText.name(claim))) {
      throw new NeedsMore();
    }
  }

  @Override
  public boolean hasOthers(String than) throws NeedsMore {
    for (StoredClaim claim : claims.values()) {
      if (claim.isWaiting() && claim.isLive(nowMicros) && !claim.client().equals(than)) {
        return true;
      }
    }
    needAll();
    return false;
  }

  @Override
  public Batch takeBatch() throws NeedsMore {
    ClaimBatch<StoredClaim> batch = ClaimBatch.ofStored();
    for (StoredClaim claim : waiting().toList()) {
      if (!batch.take(claim, claim.isLive(nowMicros))) {
        break;
      }
      needUpTo(claim);
      remove(claim);
    }
    if (!batch.isEnded()) {
      needAll();
    }
    List<StoredClaim> admitted = batch.claims();
    String taken = admitted.isEmpty() ? "" : admitted.get(0).client();
    return new Batch(admitted, hasOthers(taken) ? Others.WAIT : Others.NONE);
  }

  // ------------------------------------------------------------- of permits

  @Override
  public @Nullable StoredClaim find(String owner, long claim) {
    return claims.get(ClaimText.name(owner, claim));
  }

  @Override
  public List<StoredClaim> allGrants() {
    return granted().toList();
  }

  @Override
  public List<StoredClaim> grants(String owner) {
    return granted().filter(grant -> grant.client().equals(owner)).toList();
  }

  @Override
  public long out() {
    return granted().mapToLong(StoredClaim::permits).sum();
  }

  @Override
  public @Nullable Long firstEndMicros() {
    return granted().map(grant -> grant.end().micros()).min(Long::compare).orElse(null);
  }

  @Override
  public boolean isEmpty() {
    return claims.values().stream().allMatch(claim -> claim.state() == State.DONE);
  }

  @Override
  public int countLive() {
    return liveWaiting().size();
  }

  @Override
  public boolean hasWaiting(int mostPermits) {
    return liveWaiting().stream().anyMatch(claim -> claim.permits() <= mostPermits);
  }

  @Override
  public void dropThoseOver() {
    allGrants().stream().filter(grant -> !grant.isLive(nowMicros)).forEach(this::remove);
  }

  @Override
  public List<StoredClaim> walk(Door door) {
    List<StoredClaim> taken = new ArrayList<>();
    for (StoredClaim claim : waiting().toList()) {
      if (!claim.isLive(nowMicros)) {
        remove(claim);
        continue;
      }
      Door.Verdict verdict = door.visit(claim.permits(), claim.overtakes());
      if (verdict == Door.Verdict.STOP) {
        break;
      } else if (verdict == Door.Verdict.TAKE) {
        taken.add(claim);
      }
    }
    return taken;
  }

  @Override
  public StoredClaim addGrant(ClaimRequest request, long token) {
    return grant(arrived(request), request.leaseMillis(), token, true);
  }

  @Override
  public StoredClaim grant(StoredClaim waiting, long leaseMillis, long token, boolean confirmed) {
    LeaseEnd end = LeaseEnd.after(nowMicros, 1_000 * leaseMillis);
    return keep(waiting.granted(nowMicros, end, token, confirmed));
  }

  @Override
  public StoredClaim renew(StoredClaim grant, long leaseMillis, int most) {
    return keep(grant.renewed(grant.end().extended(nowMicros, 1_000 * leaseMillis), most));
  }

  @Override
  public void remember(long number, @Nullable StoredClaim known, long millis) {
    if (known != null) {
      remove(Objects.requireNonNull(known));
    }
    keep(StoredClaim.done(client, number, afterMillis(millis)));
  }
}
