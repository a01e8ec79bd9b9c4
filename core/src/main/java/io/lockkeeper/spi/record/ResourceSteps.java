package io.lockkeeper.spi.record;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.rule.Admission;
import io.lockkeeper.spi.rule.LockGrant;
import io.lockkeeper.spi.rule.LockRecord;
import io.lockkeeper.spi.rule.LockRule;
import io.lockkeeper.spi.rule.PermitRecord;
import io.lockkeeper.spi.rule.PermitRule;
import io.lockkeeper.spi.rule.QueueRule;
import io.lockkeeper.spi.rule.StoreTime;
import io.lockkeeper.spi.rule.StoredClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Decides by the rule on the records of resources. */
final class ResourceSteps {

  /** The number of no grant: the rule admits others before it finds that out. */
  private static final long NOBODYS = -1;

  /** An operation of the rule. */
  interface Operation<T> {

    T apply(QueueRule<NeedsMore> rule) throws NeedsMore;

    /** Returns whether its answer tells of others who wait. */
    default boolean tellsOfOthers() {
      return false;
    }

    /**
     * Returns the answer with the places of claims in the queue, given what they were taken for.
     */
    default T placed(T answer, LongUnaryOperator places) {
      return answer;
    }
  }

  /** An operation whose answer tells of others who wait, and which may be carried out twice. */
  interface Telling<T> extends Operation<T> {

    @Override
    default boolean tellsOfOthers() {
      return true;
    }
  }

  /** Returns an operation that may put a claim into the queue, and the place in its answer. */
  static <T> Operation<T> queueing(
      Operation<T> operation, BiFunction<T, LongUnaryOperator, T> placed) {
    return new Operation<>() {
      @Override
      public T apply(QueueRule<NeedsMore> rule) throws NeedsMore {
        return operation.apply(rule);
      }

      @Override
      public T placed(T answer, LongUnaryOperator places) {
        return placed.apply(answer, places);
      }
    };
  }

  private final StoreContext context;
  private final Keys keys;
  private final RecordClock clock;
  private final boolean hasSessions;
  private final boolean appends;

  /** The record that changes demand; null if none. */
  private final @Nullable String demanded;

  ResourceSteps(StoreContext context, Keys keys, RecordClock clock, RecordStore port) {
    this.context = context;
    this.keys = keys;
    this.clock = clock;
    this.hasSessions = port.hasSessions();
    this.appends = port.appends();
    this.demanded = port.provesAbsence() ? keys.ofClient(context.clientId()) : null;
  }

  /** Returns the step that carries out an operation. */
  <T> Decision.Step<T> step(ResourceId resource, Operation<T> operation) {
    return new Decision.Step<>() {
      @Override
      public Decision<T> decide(Reading reading) throws NeedsMore {
        return ResourceSteps.this.decide(resource, operation, reading);
      }

      @Override
      public boolean knowsAnyAbsence() {
        return resource.kind().isExclusive();
      }

      @Override
      public boolean demandsPresence() {
        return demanded != null;
      }

      @Override
      public boolean needsAll() {
        return appends && !resource.kind().isExclusive();
      }

      @Override
      public boolean tellsOfOthers() {
        return resource.isExclusive() && operation.tellsOfOthers();
      }

      @Override
      public Outcome<T> placed(Outcome<T> answer, List<Entry> placed) {
        return ResourceSteps.placed(operation, answer, placed);
      }

      @Override
      public Outcome<T> revised(Outcome<T> answer, Reading after) throws NeedsMore {
        return decide(after).answer();
      }

      @Override
      public Decision.Step<?> lookAgain() {
        return step(resource, rule -> rule.renew(new RenewRequest(resource, NOBODYS, 0)));
      }
    };
  }

  private <T> Decision<T> decide(ResourceId resource, Operation<T> operation, Reading found)
      throws NeedsMore {
    Times times = clock.times(keys.of(resource), found);
    ResourceHead head = ResourceHead.of(resource.kind(), found, times);
    Reading reading = head.isRelativeTo(found) ? found.withHead(head.write(times)) : found;
    ClaimList claims = claims(reading, head, times);
    StoreTime time = StoreTime.at(times.now());
    QueueRule<NeedsMore> rule = rule(resource.kind(), head, claims, time);
    T answer = operation.apply(rule);
    ResourceHead after = head.after(rule, claims.lastArrival());
    after = appends ? after.withLimitOf(head) : after;
    if (reading.version() == Change.ANY_ABSENCE && !after.fitsAnyAbsence()) {
      throw new NeedsMore();
    }
    boolean isForgotten =
        after.isIdle()
            && claims.isForgettable()
            && after.lastToken() < Math.max(times.now(), ResourceHead.floor(reading.version() + 1));
    Change change =
        new Change(
                keys.of(resource),
                reading.version(),
                isForgotten ? null : after.write(times),
                claims.removed(),
                claims.put(),
                rule.notices().stream().map(n -> Messages.of(resource, n, times)).toList())
            .demanding(demanded);
    return Decision.of(
        reading, Outcome.answered(answer), change, isFull(resource.kind(), after, claims));
  }

  /** A claim that is put with a change is numbered before its place is known. */
  private static <T> Outcome<T> placed(
      Operation<T> operation, Outcome<T> answer, List<Entry> placed) {
    if (placed.isEmpty()) {
      return answer;
    }
    Map<Long, Long> places = new HashMap<>();
    placed.forEach(entry -> places.put(ClaimText.writtenArrival(entry), entry.place()));
    return Outcomes.map(
        answer, it -> operation.placed(it, arrival -> places.getOrDefault(arrival, arrival)));
  }

  private static boolean isFull(ResourceKind kind, ResourceHead after, ClaimList claims) {
    PermitRecord permits = after.permits();
    return permits == null
        ? after.holder() != null
        : new Admission(kind, permits.limit(), claims.out()).isFull();
  }

  /** Returns whether another client waits for a lock that this one holds, as far as was read. */
  boolean isContended(ResourceId resource, Reading reading) {
    return ClaimText.isAnyOfOthers(reading, context.clientId()) && resource.isExclusive();
  }

  private ClaimList claims(Reading reading, ResourceHead head, Times times) {
    return new ClaimList(
        context.clientId(),
        context.timings(),
        times,
        reading,
        hasSessions,
        appends,
        head.lastArrival());
  }

  private QueueRule<NeedsMore> rule(
      ResourceKind kind, ResourceHead head, ClaimList claims, StoreTime time) throws NeedsMore {
    LockRecord lock = head.lock();
    if (lock != null) {
      return new LockRule<>(context.clientId(), time, lock, claims);
    }
    claims.needAll();
    PermitRecord permits = Objects.requireNonNull(head.permits());
    return new PermitRule<>(context.clientId(), time, kind, permits, claims);
  }

  /** Returns the step that changes nothing, and says what others see. */
  Decision.Step<Inspection> inspection(ResourceId resource) {
    return reading -> Decision.look(Outcome.answered(inspect(resource, reading)));
  }

  private Inspection inspect(ResourceId resource, Reading reading) throws NeedsMore {
    Times times = clock.times(keys.of(resource), reading);
    long now = times.now();
    ResourceHead head = ResourceHead.of(resource.kind(), reading, times);
    ClaimList claims = claims(reading, head, times);
    claims.needAll();
    List<Inspection.Waiter> waiters =
        claims.liveWaiting().stream().map(claim -> claim.inspectWaiting(now)).toList();
    PermitRecord permits = head.permits();
    if (permits == null) {
      LockGrant holder = head.holder();
      boolean isHeld = holder != null && now < holder.end().micros();
      return new Inspection(holder == null || !isHeld ? null : holder.inspect(now), waiters);
    }
    List<StoredClaim> grants = claims.liveGrants();
    boolean isUsed = permits.resized() || !grants.isEmpty() || !waiters.isEmpty();
    return new Inspection(
        grants.stream().map(grant -> grant.inspectGrant(now)).toList(),
        waiters,
        isUsed ? permits.limit() : Inspection.UNSET,
        grants.stream().mapToLong(StoredClaim::permits).sum());
  }
}
