package io.lockkeeper.memory;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.ClaimBatch;
import io.lockkeeper.spi.rule.Door;
import io.lockkeeper.spi.rule.LeaseEnd;
import io.lockkeeper.spi.rule.LockQueue;
import io.lockkeeper.spi.rule.PermitTable;
import io.lockkeeper.spi.rule.StoredClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one resource: those that wait, in order of arrival, and when each of their clients
 * was last heard of; the grants, if the resource is shared; and which requests are done, so that a
 * copy of one changes nothing.
 */
final class ClaimTable {

  /** A client with at least one claim that waits here. */
  private static final class Presence {
    int claims;
    long deadMicros;
  }

  private final String namespace;
  private final ResourceId resource;
  private final Journal journal;
  private final Map<ClaimId, StoredClaim> queue = new LinkedHashMap<>();
  private final Map<ClaimId, StoredClaim> grants = new LinkedHashMap<>();
  private final Map<ClaimId, Long> done = new LinkedHashMap<>();
  private final Map<String, Presence> presences = new HashMap<>();

  /** The sum of the permits of all grants. */
  private long out;

  ClaimTable(String namespace, ResourceId resource, Journal journal) {
    this.namespace = namespace;
    this.resource = resource;
    this.journal = journal;
  }

  /** Returns the claims as a step sees and changes them. */
  Seen seenBy(ServerStep step) {
    return new Seen(step);
  }

  boolean isEmpty() {
    return queue.isEmpty() && grants.isEmpty();
  }

  /** Returns whether nothing is kept here, also of what is done. */
  boolean isForgettable(long nowMicros) {
    forget(nowMicros);
    return isEmpty() && done.isEmpty();
  }

  private void forget(long nowMicros) {
    Iterator<Long> ends = done.values().iterator();
    while (ends.hasNext() && ends.next() <= nowMicros) {
      ends.remove();
    }
  }

  /** Returns the grants that are not over. */
  Stream<StoredClaim> liveGrants(long nowMicros) {
    return grants.values().stream().filter(grant -> grant.isLive(nowMicros));
  }

  /** Returns all grants, also those that are over and not yet noticed. */
  Stream<StoredClaim> grants() {
    return grants.values().stream();
  }

  /** Returns the live claims that wait, in order, as others see them. */
  List<Inspection.Waiter> inspectWaiting(long nowMicros) {
    return live(nowMicros).map(claim -> claim.inspectWaiting(nowMicros)).toList();
  }

  int heartbeats() {
    return presences.size();
  }

  List<ResourceState.WaitingState> state(long nowMicros) {
    return queue.values().stream()
        .map(
            claim ->
                new ResourceState.WaitingState(
                    claim.client(), claim.claim(), claim.arrival(), isLive(claim, nowMicros)))
        .toList();
  }

  private Stream<StoredClaim> live(long nowMicros) {
    return queue.values().stream().filter(claim -> isLive(claim, nowMicros));
  }

  private boolean isLive(StoredClaim waiting, long nowMicros) {
    Presence presence = presences.get(waiting.client());
    return presence != null && nowMicros < presence.deadMicros;
  }

  private void left(StoredClaim waiting) {
    Presence presence = presences.get(waiting.client());
    if (presence != null && --presence.claims == 0) {
      presences.remove(waiting.client());
    }
  }

  private static ClaimId id(StoredClaim claim) {
    return new ClaimId(claim.client(), claim.claim());
  }

  /** The claims in one step of one client. */
  final class Seen implements LockQueue<RuntimeException>, PermitTable<RuntimeException> {

    private final ServerStep step;
    private final long nowMicros;

    private Seen(ServerStep step) {
      this.step = step;
      this.nowMicros = step.nowMicros();
    }

    @Override
    public boolean notifiesOthers() {
      return true;
    }

    @Override
    public long heartbeatMillis() {
      return step.timings().heartbeatMillis();
    }

    @Override
    public void heard() {
      Presence presence = presences.get(step.clientId());
      if (presence != null) {
        presence.deadMicros = step.heartbeatMicros();
      }
    }

    // ----------------------------------------------------------- the queue

    @Override
    public @Nullable StoredClaim find(long claim) {
      return queue.get(new ClaimId(step.clientId(), claim));
    }

    @Override
    public @Nullable StoredClaim first() {
      return live(nowMicros).findFirst().orElse(null);
    }

    @Override
    public boolean hasOthers(String client) {
      return presences.entrySet().stream()
          .anyMatch(e -> !e.getKey().equals(client) && nowMicros < e.getValue().deadMicros);
    }

    @Override
    public int countLive() {
      return (int) live(nowMicros).count();
    }

    @Override
    public boolean hasWaiting(int mostPermits) {
      return live(nowMicros).anyMatch(claim -> claim.permits() <= mostPermits);
    }

    @Override
    public long add(ClaimRequest request) {
      StoredClaim claim = waiting(request);
      queue.put(id(claim), claim);
      presences.computeIfAbsent(claim.client(), id -> new Presence()).claims++;
      heard();
      return claim.arrival();
    }

    private StoredClaim waiting(ClaimRequest request) {
      return StoredClaim.waiting(
          step.clientId(),
          request,
          nowMicros,
          journal.nextArrival(),
          step.heartbeatMicros(),
          step.timings().claimDeadlineMillis());
    }

    @Override
    public void remove(StoredClaim claim) {
      if (queue.remove(id(claim)) != null) {
        left(claim);
      }
      StoredClaim ended = grants.remove(id(claim));
      out -= ended == null ? 0 : ended.permits();
    }

    @Override
    public Batch takeBatch() {
      ClaimBatch<StoredClaim> batch = ClaimBatch.ofStored();
      Iterator<StoredClaim> claims = queue.values().iterator();
      while (claims.hasNext()) {
        StoredClaim claim = claims.next();
        if (!batch.take(claim, isLive(claim, nowMicros))) {
          break;
        }
        claims.remove();
        left(claim);
      }
      List<StoredClaim> run = batch.claims();
      return new Batch(
          run, hasOthers(run.isEmpty() ? "" : run.get(0).client()) ? Others.WAIT : Others.NONE);
    }

    @Override
    public List<StoredClaim> walk(Door door) {
      List<StoredClaim> taken = new ArrayList<>();
      Iterator<StoredClaim> claims = queue.values().iterator();
      while (claims.hasNext()) {
        StoredClaim claim = claims.next();
        if (!isLive(claim, nowMicros)) {
          claims.remove();
          left(claim);
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

    // ----------------------------------------------------------- grants

    @Override
    public @Nullable StoredClaim find(String client, long claim) {
      forget(nowMicros);
      ClaimId id = new ClaimId(client, claim);
      Long until = done.get(id);
      if (until != null) {
        return StoredClaim.done(client, claim, until);
      }
      StoredClaim grant = grants.get(id);
      return grant == null ? queue.get(id) : grant;
    }

    @Override
    public List<StoredClaim> allGrants() {
      return List.copyOf(grants.values());
    }

    @Override
    public List<StoredClaim> grants(String client) {
      return grants.values().stream().filter(grant -> grant.client().equals(client)).toList();
    }

    @Override
    public long out() {
      return out;
    }

    @Override
    public @Nullable Long firstEndMicros() {
      return grants.values().stream()
          .map(grant -> grant.end().micros())
          .min(Long::compare)
          .orElse(null);
    }

    @Override
    public boolean isEmpty() {
      return ClaimTable.this.isEmpty();
    }

    @Override
    public void dropThoseOver() {
      allGrants().stream().filter(grant -> !grant.isLive(nowMicros)).forEach(this::remove);
    }

    @Override
    public StoredClaim addGrant(ClaimRequest request, long token) {
      return put(waiting(request), request.leaseMillis(), token, true, false);
    }

    @Override
    public StoredClaim grant(StoredClaim waiting, long leaseMillis, long token, boolean confirmed) {
      remove(waiting);
      return put(waiting, leaseMillis, token, confirmed, true);
    }

    private StoredClaim put(
        StoredClaim claim, long leaseMillis, long token, boolean confirmed, boolean fromQueue) {
      LeaseEnd end = LeaseEnd.after(nowMicros, ServerStep.micros(leaseMillis));
      StoredClaim granted = claim.granted(nowMicros, end, token, confirmed);
      grants.put(id(granted), granted);
      out += granted.permits();
      journal.write(record(granted, fromQueue));
      return granted;
    }

    private GrantRecord record(StoredClaim granted, boolean fromQueue) {
      return new GrantRecord(
          namespace,
          resource,
          granted.client(),
          granted.claim(),
          granted.permits(),
          granted.token(),
          granted.token(),
          List.of(new GrantRecord.Admitted(granted.claim(), granted.arrival())),
          nowMicros,
          fromQueue);
    }

    @Override
    public StoredClaim renew(StoredClaim grant, long leaseMillis, int most) {
      LeaseEnd end = grant.end().extended(nowMicros, ServerStep.micros(leaseMillis));
      StoredClaim renewed = grant.renewed(end, most);
      grants.put(id(grant), renewed);
      out -= grant.permits() - renewed.permits();
      return renewed;
    }

    @Override
    public void remember(long number, @Nullable StoredClaim known, long millis) {
      if (known != null) {
        remove(known);
      }
      ClaimId id = new ClaimId(step.clientId(), number);
      done.remove(id);
      done.put(id, step.afterMillis(millis));
    }
  }
}
