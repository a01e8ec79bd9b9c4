package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The claims of one resource in a list, as one client sees them at one time. */
final class SimpleClaims implements LockQueue<RuntimeException>, PermitTable<RuntimeException> {

  static final long HEARTBEAT_MILLIS = 40;
  static final long DEADLINE_MILLIS = 5;

  /** In the order of arrival. */
  final List<StoredClaim> claims = new ArrayList<>();

  /** The grants of this list that a step has made, in order. */
  final List<StoredClaim> granted = new ArrayList<>();

  /** Whether {@link #takeBatch} notices that others wait behind the run. */
  boolean knowsOthers;

  private String client = "";
  private long now;
  private long arrivals;

  void begin(String caller, long nowMicros) {
    client = caller;
    now = nowMicros;
    granted.clear();
  }

  List<StoredClaim> live() {
    return claims.stream().filter(c -> c.isWaiting() && c.isLive(now)).toList();
  }

  private static Predicate<StoredClaim> is(String client, long claim) {
    return c -> c.client().equals(client) && c.claim() == claim;
  }

  private void replace(StoredClaim before, StoredClaim after) {
    claims.set(claims.indexOf(before), after);
  }

  private void dropTheDead() {
    claims.removeIf(c -> c.isWaiting() && !c.isLive(now));
  }

  @Override
  public boolean notifiesOthers() {
    return true;
  }

  @Override
  public long heartbeatMillis() {
    return HEARTBEAT_MILLIS;
  }

  @Override
  public void heard() {
    LeaseEnd end = new LeaseEnd(now + HEARTBEAT_MILLIS * 1_000, 0);
    claims.replaceAll(c -> c.isWaiting() && c.client().equals(client) ? c.until(end) : c);
  }

  @Override
  public @Nullable StoredClaim find(long claim) {
    return find(client, claim);
  }

  @Override
  public @Nullable StoredClaim find(String owner, long claim) {
    return claims.stream().filter(is(owner, claim)).findFirst().orElse(null);
  }

  @Override
  public @Nullable StoredClaim first() {
    return live().stream().findFirst().orElse(null);
  }

  @Override
  public boolean hasOthers(String than) {
    return live().stream().anyMatch(c -> !c.client().equals(than));
  }

  @Override
  public int countLive() {
    return live().size();
  }

  @Override
  public boolean hasWaiting(int mostPermits) {
    return live().stream().anyMatch(c -> c.permits() <= mostPermits);
  }

  @Override
  public long add(ClaimRequest request) {
    claims.add(waiting(request));
    return arrivals;
  }

  private StoredClaim waiting(ClaimRequest request) {
    long end = now + HEARTBEAT_MILLIS * 1_000;
    return StoredClaim.waiting(client, request, now, ++arrivals, end, DEADLINE_MILLIS);
  }

  @Override
  public void remove(StoredClaim claim) {
    claims.removeIf(is(claim.client(), claim.claim()));
  }

  @Override
  public Batch takeBatch() {
    dropTheDead();
    List<StoredClaim> run = new ArrayList<>();
    for (StoredClaim claim : live()) {
      boolean belongs = run.isEmpty() || run.get(0).belongsWith(claim);
      if (!belongs || run.size() == Store.MAX_BATCH) {
        break;
      }
      run.add(claim);
    }
    claims.removeAll(run);
    boolean othersWait = knowsOthers && !run.isEmpty() && hasOthers(run.get(0).client());
    return new Batch(run, othersWait ? Others.WAIT : Others.UNKNOWN);
  }

  @Override
  public List<StoredClaim> walk(Door door) {
    dropTheDead();
    List<StoredClaim> taken = new ArrayList<>();
    for (StoredClaim claim : live()) {
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
  public List<StoredClaim> allGrants() {
    return claims.stream().filter(StoredClaim::isGranted).toList();
  }

  @Override
  public List<StoredClaim> grants(String owner) {
    return allGrants().stream().filter(c -> c.client().equals(owner)).toList();
  }

  @Override
  public long out() {
    return allGrants().stream().mapToLong(StoredClaim::permits).sum();
  }

  @Override
  public @Nullable Long firstEndMicros() {
    return allGrants().stream().map(c -> c.end().micros()).min(Long::compare).orElse(null);
  }

  @Override
  public boolean isEmpty() {
    return claims.stream().allMatch(c -> c.state() == StoredClaim.State.DONE);
  }

  @Override
  public void dropThoseOver() {
    claims.removeIf(c -> c.isGranted() && !c.isLive(now));
  }

  @Override
  public StoredClaim addGrant(ClaimRequest request, long token) {
    claims.add(waiting(request));
    return grant(claims.get(claims.size() - 1), request.leaseMillis(), token, true);
  }

  @Override
  public StoredClaim grant(StoredClaim waiting, long leaseMillis, long token, boolean confirmed) {
    LeaseEnd end = LeaseEnd.after(now, leaseMillis * 1_000);
    StoredClaim grant = waiting.granted(now, end, token, confirmed);
    replace(waiting, grant);
    granted.add(grant);
    return grant;
  }

  @Override
  public StoredClaim renew(StoredClaim grant, long leaseMillis, int most) {
    StoredClaim renewed = grant.renewed(grant.end().extended(now, leaseMillis * 1_000), most);
    replace(grant, renewed);
    return renewed;
  }

  @Override
  public void remember(long number, @Nullable StoredClaim known, long millis) {
    claims.removeIf(is(client, number));
    claims.add(StoredClaim.done(client, number, now + millis * 1_000));
  }
}
