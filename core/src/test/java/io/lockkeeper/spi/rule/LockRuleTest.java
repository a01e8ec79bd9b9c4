package io.lockkeeper.spi.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule of locks alone. Random steps repeat with {@code -Dlockkeeper.test.seed=N}. */
class LockRuleTest {

  private static final int LIVES = 400;
  private static final int STEPS = 250;
  private static final List<String> CLIENTS = List.of("a", "b", "c");
  private static final long LEASE = 30;

  private final SimpleClaims queue = new SimpleClaims();
  private LockRecord record = LockRecord.NEW;
  private long now = 1;

  private LockRule<RuntimeException> by(String client) {
    return at(client, StoreTime.at(now));
  }

  private LockRule<RuntimeException> at(String client, StoreTime time) {
    queue.begin(client, time.nowMicros());
    return new LockRule<>(client, time, record, queue);
  }

  private ClaimAnswer claim(String client, long claim) {
    LockRule<RuntimeException> rule = by(client);
    ClaimAnswer answer = rule.claim(request(claim, LEASE, 1));
    record = rule.record();
    return answer;
  }

  private static ClaimRequest request(long claim, long lease, int tokens) {
    return new ClaimRequest(ResourceId.lock("r"), claim, lease, tokens, true);
  }

  @Test
  void aGrantOutOfTheQueueHasOnlyTheClaimDeadlineAtFirst() {
    claim("a", 1);
    claim("b", 2);
    LockRule<RuntimeException> rule = by("a");
    rule.release(new ReleaseRequest(ResourceId.lock("r"), 1, ReleaseRequest.UNKNOWN, null));

    assertThat(rule.notices()).hasSize(1);
    assertThat(rule.notices().get(0))
        .isInstanceOfSatisfying(
            Notice.Granted.class,
            notice -> {
              assertThat(notice.client()).isEqualTo("b");
              assertThat(notice.grant().confirmed()).isFalse();
              assertThat(notice.grant().leaseMicros())
                  .isEqualTo(SimpleClaims.DEADLINE_MILLIS * 1_000);
            });
  }

  @Test
  void aLockThatRestsAdmitsNobodyUntilThatIsOver() {
    claim("a", 1);
    claim("b", 2);
    LockRule<RuntimeException> rule = by("a");
    ReleaseAnswer answer = rule.release(rest(1, 5));
    record = rule.record();

    assertThat(answer.released()).isTrue();
    assertThat(rule.notices()).isEmpty();
    assertThat(record.holder()).isNotNull();
    assertThat(record.holder().isResting()).isTrue();
    now += 4_999;
    assertThat(by("b").poll(2)).isInstanceOf(Queued.class);
    now += 1;
    assertThat(by("b").poll(2)).isInstanceOf(PollAnswer.Granted.class);
  }

  @Test
  void aCopyOfItsRequestDoesNotMakeTheRestLonger() {
    claim("a", 1);
    LockRule<RuntimeException> rule = by("a");
    rule.release(rest(1, 5));
    record = rule.record();
    now += 1_000;
    LockRule<RuntimeException> again = by("a");

    assertThat(again.release(rest(1, 5)).released()).as("what the lost answer said").isTrue();
    assertThat(again.renew(new RenewRequest(ResourceId.lock("r"), 1, LEASE)).renewed()).isFalse();

    assertThat(again.record()).isEqualTo(record);
  }

  @Test
  void theForcedEndOfARestIsNotAnnouncedToAnybody() {
    claim("a", 1);
    LockRule<RuntimeException> rule = by("a");
    rule.release(rest(1, 5));
    record = rule.record();
    LockRule<RuntimeException> force = by("c");

    assertThat(force.forceRelease(new ForceRequest(ResourceId.lock("r"), Long.MAX_VALUE)).wasHeld())
        .isTrue();

    assertThat(force.record().holder()).isNull();
    assertThat(force.notices()).isEmpty();
  }

  private static ReleaseRequest rest(long grant, long millis) {
    return new ReleaseRequest(
        ResourceId.lock("r"), null, grant, ReleaseRequest.UNKNOWN, null, millis);
  }

  @Test
  void aGrantThatTheSameStepEndsIsNotAnnounced() {
    claim("a", 1);
    claim("b", 2);
    now += LEASE * 1_000;
    LockRule<RuntimeException> rule = by("b");

    rule.withdraw(2);

    assertThat(rule.admissions()).hasSize(1);
    assertThat(rule.record().holder()).isNull();
    assertThat(rule.notices()).isEmpty();
  }

  @Test
  void aGrantIsAnnouncedWithoutAClaimThatTheSameStepTakesBack() {
    claim("a", 1);
    claim("b", 2);
    claim("b", 3);
    claim("c", 4);
    queue.knowsOthers = true;
    now += LEASE * 1_000;
    LockRule<RuntimeException> rule = by("b");

    rule.withdraw(2);

    assertThat(rule.notices()).hasSize(1);
    assertThat(rule.notices().get(0))
        .isInstanceOfSatisfying(
            Notice.Granted.class,
            notice -> assertThat(notice.grant().claims()).containsExactly(3L));
  }

  @Test
  void theAnswerIsNotAnnouncedToo() {
    claim("a", 1);
    claim("b", 2);
    now += LEASE * 1_000;
    LockRule<RuntimeException> rule = by("b");

    assertThat(rule.poll(2)).isInstanceOf(PollAnswer.Granted.class);
    assertThat(rule.notices()).isEmpty();
  }

  @Test
  void whileASecondServerIsNotSafeNobodyIsLetInAndNothingIsOver() {
    claim("a", 1);
    long safe = 10 * LEASE * 1_000;
    now = 2 * LEASE * 1_000;
    StoreTime unsafe = new StoreTime(now, safe, false, 0);

    LockRule<RuntimeException> rule = at("b", unsafe);
    assertThat(rule.claim(request(2, LEASE, 1)))
        .isInstanceOfSatisfying(
            Queued.class, place -> assertThat(place.holderMicros()).isEqualTo(safe - now));
    assertThat(rule.record().holder()).isNotNull();

    rule = at("a", unsafe);
    assertThat(
            rule.release(new ReleaseRequest(ResourceId.lock("r"), 1, ReleaseRequest.UNKNOWN, null))
                .released())
        .isTrue();
    assertThat(rule.record().holder()).isNull();
    assertThat(rule.admissions()).isEmpty();
  }

  @Test
  void anEndThatAClockHasMovedIsPulledBack() {
    claim("a", 1);
    LockGrant holder = record.holder();
    assertThat(holder).isNotNull();
    record = new LockRecord(moved(holder, 1_000_000), record.lastToken());

    LockRecord seen = by("b").record();
    assertThat(seen.holder()).isNotNull();
    assertThat(seen.holder().end()).isEqualTo(LeaseEnd.after(now, LEASE * 1_000));
  }

  private static LockGrant moved(LockGrant grant, long micros) {
    LeaseEnd end = new LeaseEnd(grant.end().micros() + micros, grant.end().givenMicros());
    return new LockGrant(
        grant.client(),
        grant.label(),
        grant.grant(),
        grant.claims(),
        grant.firstToken(),
        grant.lastToken(),
        grant.hasTokensToSpare(),
        grant.sinceMicros(),
        end,
        grant.confirmed());
  }

  // ------------------------------------------------------------- random lives

  /**
   * A step, made by one client, that may be made again.
   *
   * @param about the number of the claim or grant that it names
   */
  private record Made(String client, long about, Consumer<LockRule<RuntimeException>> operation) {}

  @Test
  void inEveryLifeThereIsOneHolderInOrderWithGrowingTokens() {
    long seed = Long.getLong("lockkeeper.test.seed", new SplittableRandom().nextLong(1L << 40));
    SplittableRandom random = new SplittableRandom(seed);
    for (int life = 0; life < LIVES; life++) {
      new Life(random.split(), "seed " + seed + ", life " + life).run();
    }
  }

  private static final class Life {

    private final SplittableRandom random;
    private final String name;
    private final SimpleClaims queue = new SimpleClaims();
    private final List<Made> past = new ArrayList<>();
    private LockRecord record = LockRecord.NEW;
    private long now = 1;
    private long numbers;

    /** The largest token that may have been used. */
    private long used;

    /** Whether the step may end the grant that there was before it. */
    private boolean mayEnd;

    Life(SplittableRandom random, String name) {
      this.random = random;
      this.name = name;
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        now += random.nextInt(4) * 2_500L;
        boolean isLate = !past.isEmpty() && random.nextInt(6) == 0;
        Made made = isLate ? past.get(random.nextInt(past.size())) : next();
        past.add(made);
        String step = name + ", step " + i;
        StoredClaim named = queue.find(made.client(), made.about());
        carryOut(made, step);
        if (named != null) {
          continue; // it has been granted meanwhile perhaps, and the next time it is about that
        }
        LockRecord once = record;
        List<StoredClaim> waiting = List.copyOf(queue.claims);
        carryOut(made, step + ", again");
        assertThat(record).as(step + " repeated").isEqualTo(once);
        assertThat(queue.claims).as(step + " repeated").isEqualTo(waiting);
      }
    }

    private void carryOut(Made made, String step) {
      queue.begin(made.client(), now);
      LockGrant before = record.holder();
      Turns turns = new Turns(queue.claims, now);
      LockRule<RuntimeException> rule =
          new LockRule<>(made.client(), StoreTime.at(now), record, queue);
      mayEnd = before == null || before.end().micros() <= now;
      made.operation().accept(rule);
      record = rule.record();
      LockGrant after = record.holder();
      boolean isOther =
          before != null && (after == null || after.firstToken() != before.firstToken());
      assertThat(isOther && !mayEnd).as(step + ": " + before + " ended").isFalse();
      for (LockRule.Admission admission : rule.admissions()) {
        assertThat(admission.grant().firstToken()).as(step).isGreaterThan(used);
        used = admission.grant().lastToken();
        if (admission.batch().isEmpty()) {
          assertThat(turns.live()).as(step + ": overtaken").isEmpty();
        }
        for (StoredClaim admitted : admission.batch()) {
          assertThat(turns.overtakenBy(admitted)).as(step + ": out of turn").isEmpty();
        }
      }
      if (after == null) {
        assertThat(queue.live()).as(step + ": they wait for nobody").isEmpty();
      }
    }

    private Made next() {
      String client = CLIENTS.get(random.nextInt(CLIENTS.size()));
      LockGrant holder = record.holder();
      boolean isMine = holder != null && holder.client().equals(client);
      long known = isMine && random.nextBoolean() ? holder.grant() : random.nextLong(numbers + 1);
      ClaimRequest claim = request(++numbers, random.nextBoolean() ? 20 : 30, random.nextInt(1, 4));
      return new Made(
          client,
          known,
          switch (random.nextInt(8)) {
            case 0, 1 -> rule -> rule.claim(claim);
            case 2 ->
                rule ->
                    rule.claim(new ClaimRequest(ResourceId.lock("r"), claim.claim(), 20, 1, false));
            case 3 -> rule -> withdraw(rule, client, known);
            case 4 -> rule -> rule.renew(new RenewRequest(ResourceId.lock("r"), known, 25));
            case 5 -> rule -> rule.poll(known);
            case 6 -> force(holder);
            default -> release(client, known, isMine ? holder : null, claim);
          });
    }

    private Consumer<LockRule<RuntimeException>> force(@Nullable LockGrant holder) {
      long token = holder == null || random.nextInt(3) > 0 ? 0 : holder.firstToken();
      return rule -> {
        LockGrant current = rule.record().holder();
        mayEnd |= current != null && current.firstToken() <= token;
        rule.forceRelease(new ForceRequest(ResourceId.lock("r"), token));
      };
    }

    private void withdraw(LockRule<RuntimeException> rule, String client, long claim) {
      LockGrant current = rule.record().holder();
      mayEnd |=
          current != null && current.client().equals(client) && current.claims().contains(claim);
      rule.withdraw(claim);
    }

    private Consumer<LockRule<RuntimeException>> release(
        String client, long grant, @Nullable LockGrant holder, ClaimRequest claim) {
      long usedToken =
          holder == null
              ? ReleaseRequest.UNKNOWN
              : random.nextLong(holder.firstToken() - 1, holder.lastToken() + 1);
      ReleaseRequest request =
          new ReleaseRequest(
              ResourceId.lock("r"), grant, usedToken, random.nextBoolean() ? claim : null);
      return rule -> {
        LockGrant current = rule.record().holder();
        boolean isMeant =
            current != null
                && current.client().equals(client)
                && current.grant() == grant
                && (usedToken == ReleaseRequest.UNKNOWN || usedToken >= current.firstToken() - 1);
        mayEnd |= isMeant;
        ReleaseAnswer answer = rule.release(request);
        assertThat(answer.released()).isEqualTo(isMeant && current.end().micros() > now);
        if (answer.released()) {
          // Its unused tokens may be given again, so what has been used is what it says.
          used = Math.max(current.firstToken() - 1, Math.min(usedToken, current.lastToken()));
        }
      };
    }
  }

  /** The claims that wait before a step, in order. */
  private static final class Turns {

    private final List<StoredClaim> waiting;
    private final long now;

    Turns(List<StoredClaim> claims, long now) {
      this.waiting = new ArrayList<>(claims.stream().filter(StoredClaim::isWaiting).toList());
      this.now = now;
    }

    List<StoredClaim> live() {
      return waiting.stream().filter(claim -> claim.isLive(now)).toList();
    }

    /** Takes out an admitted claim and the dead before it; returns the live before it. */
    List<StoredClaim> overtakenBy(StoredClaim admitted) {
      List<StoredClaim> overtaken = new ArrayList<>();
      while (!waiting.isEmpty()) {
        StoredClaim first = waiting.remove(0);
        if (isSame(first, admitted)) {
          break; // a claim that comes in this step stands behind all
        } else if (first.isLive(now)) {
          overtaken.add(first);
        }
      }
      return overtaken;
    }

    private static boolean isSame(StoredClaim one, StoredClaim other) {
      return one.client().equals(other.client()) && one.claim() == other.claim();
    }
  }
}
