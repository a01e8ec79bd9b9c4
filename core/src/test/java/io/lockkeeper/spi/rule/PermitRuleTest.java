package io.lockkeeper.spi.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule of what is shared, alone. Random steps repeat with {@code -Dlockkeeper.test.seed=N}. */
class PermitRuleTest {

  private static final int LIVES = 300;
  private static final int STEPS = 250;
  private static final List<String> CLIENTS = List.of("a", "b", "c");
  private static final long LEASE = 30;
  private static final int LIMIT = 3;

  private final SimpleClaims table = new SimpleClaims();
  private PermitRecord record = PermitRecord.NEW;
  private long now = 1;

  private PermitRule<RuntimeException> at(String client, StoreTime time) {
    table.begin(client, time.nowMicros());
    return new PermitRule<>(client, time, ResourceKind.SEMAPHORE, record, table);
  }

  private ClaimAnswer claim(String client, long claim, int permits, int limit) {
    PermitRule<RuntimeException> rule = at(client, StoreTime.at(now));
    ClaimAnswer answer = rule.claim(request(claim, new Share(permits, limit, false)));
    record = rule.record();
    return answer;
  }

  private static ClaimRequest request(long claim, Share share) {
    return new ClaimRequest(ResourceId.lock("s"), claim, LEASE, 1, true, share);
  }

  @Test
  void whoComesWhenTheLastGrantIsOverSaysTheLimit() {
    claim("a", 1, 2, 2);
    now += LEASE * 1_000;

    claim("b", 2, 1, 5);

    assertThat(record.limit()).isEqualTo(5);
  }

  @Test
  void whileASecondServerIsNotSafeNobodyIsLetInAndNothingIsOver() {
    claim("a", 1, 1, 2);
    now += 2 * LEASE * 1_000;
    StoreTime unsafe = new StoreTime(now, now + 7, false, 0);

    assertThat(at("b", unsafe).claim(request(2, new Share(1, 2, false))))
        .isNotInstanceOf(ClaimAnswer.Granted.class);
  }

  @Test
  void aClaimThatWantsMoreThanThereIsHoldsNobodyUp() {
    claim("a", 1, 5, 2);

    assertThat(claim("b", 2, 2, 2)).isInstanceOf(ClaimAnswer.Granted.class);
  }

  // ------------------------------------------------------------- random lives

  /**
   * A step, made by one client, that may be made again.
   *
   * @param about the number of the claim or grant that it names
   */
  private record Made(
      String client, long about, Consumer<PermitRule<RuntimeException>> operation) {}

  @ParameterizedTest
  @EnumSource(
      value = ResourceKind.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"LOCK", "LEADER_ELECTION"})
  void inEveryLifeTheLimitAndTheOrderHoldAndNobodyWaitsForNothing(ResourceKind kind) {
    long seed = Long.getLong("lockkeeper.test.seed", new SplittableRandom().nextLong(1L << 40));
    SplittableRandom random = new SplittableRandom(seed);
    for (int life = 0; life < LIVES; life++) {
      new Life(kind, random.split(), "seed " + seed + ", life " + life).run();
    }
  }

  private static final class Life {

    private final ResourceKind kind;
    private final SplittableRandom random;
    private final String name;
    private final SimpleClaims table = new SimpleClaims();
    private final List<Made> past = new ArrayList<>();
    private PermitRecord record = PermitRecord.NEW;
    private long now = 1;
    private long numbers;

    Life(ResourceKind kind, SplittableRandom random, String name) {
      this.kind = kind;
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
        StoredClaim named = table.find(made.client(), made.about());
        carryOut(made, step);
        if (named != null && named.isWaiting()) {
          continue; // it has been granted meanwhile perhaps, and the next time it is about that
        }
        PermitRecord once = record;
        List<StoredClaim> claims = List.copyOf(table.claims);
        carryOut(made, step + ", again");
        assertThat(record).as(step + " repeated").isEqualTo(once);
        assertThat(table.claims).as(step + " repeated").isEqualTo(claims);
      }
    }

    private void carryOut(Made made, String step) {
      table.begin(made.client(), now);
      long lastToken = record.lastToken();
      int limit = record.limit();
      List<StoredClaim> waited = table.live();
      PermitRule<RuntimeException> rule =
          new PermitRule<>(made.client(), StoreTime.at(now), kind, record, table);
      made.operation().accept(rule);
      record = rule.record();
      for (StoredClaim grant : table.granted) {
        assertThat(grant.token()).as(step).isGreaterThan(lastToken);
        lastToken = grant.token();
      }
      assertThat(record.lastToken()).as(step).isEqualTo(lastToken);
      if (table.isEmpty() && !record.resized()) {
        assertThat(record.limit()).as(step).isEqualTo(Inspection.UNSET);
      }
      if (kind == ResourceKind.BARRIER) {
        assertThat(table.live().size())
            .as(step + ": a group waits")
            .isLessThan(table.live().isEmpty() ? 1 : record.limit());
      } else {
        checkLimit(Math.max(limit, record.limit()), step);
        checkOrder(waited, Math.min(limit, record.limit()), step);
      }
    }

    /**
     * Checks what is out, and that no claim waits that could be admitted.
     *
     * @param most the largest limit during the step
     */
    private void checkLimit(int most, String step) {
      if (!table.granted.isEmpty()) {
        assertThat(table.out()).as(step).isLessThanOrEqualTo(most);
      }
      long left = record.limit() - table.out();
      boolean isBlocked = false;
      for (StoredClaim claim : table.live()) {
        boolean fits = claim.permits() <= left && (claim.overtakes() || !isBlocked);
        assertThat(fits).as(step + ": it waits for nothing: " + claim).isFalse();
        isBlocked |= claim.permits() <= record.limit();
      }
    }

    /**
     * Checks that no claim was admitted while another had waited longer.
     *
     * @param least the smallest limit during the step: who wants more keeps nobody out
     */
    private void checkOrder(List<StoredClaim> waited, int least, String step) {
      List<StoredClaim> still = table.live();
      for (StoredClaim grant : table.granted) {
        Stream<StoredClaim> overtaken =
            waited.stream()
                .filter(c -> c.arrival() < grant.arrival() && c.permits() <= least)
                .filter(c -> still.stream().anyMatch(s -> s.arrival() == c.arrival()));
        if (!grant.overtakes()) {
          assertThat(overtaken).as(step + ": overtaken by " + grant).isEmpty();
        }
      }
    }

    private Made next() {
      String client = CLIENTS.get(random.nextInt(CLIENTS.size()));
      List<StoredClaim> mine =
          table.claims.stream().filter(c -> c.client().equals(client)).toList();
      long known =
          mine.isEmpty() || random.nextInt(4) == 0
              ? random.nextLong(numbers + 1)
              : mine.get(random.nextInt(mine.size())).claim();
      long number = ++numbers;
      return new Made(
          client,
          known,
          switch (random.nextInt(9)) {
            case 0, 1, 2 -> claim(number, true);
            case 3 -> claim(number, false);
            case 4 -> rule -> rule.withdraw(known);
            case 5 -> renew(known);
            case 6 -> rule -> rule.poll(known);
            case 7 -> other(number);
            default ->
                rule -> rule.release(new ReleaseRequest(ResourceId.lock("s"), known, 0, null));
          });
    }

    private Consumer<PermitRule<RuntimeException>> claim(long number, boolean queue) {
      Share share =
          switch (kind) {
            case BARRIER -> new Share(1, LIMIT, false);
            case READ_WRITE_LOCK ->
                new Share(
                    random.nextInt(3) == 0 ? Share.ALL : 1, Share.ALL, random.nextInt(4) == 0);
            default ->
                new Share(
                    random.nextInt(1, LIMIT + 2),
                    random.nextInt(LIMIT, LIMIT + 2),
                    random.nextInt(4) == 0);
          };
      ClaimRequest request =
          new ClaimRequest(ResourceId.lock("s"), number, random.nextInt(4, 40), 1, queue, share);
      return rule -> rule.claim(request);
    }

    private Consumer<PermitRule<RuntimeException>> renew(long known) {
      int kept = kind == ResourceKind.SEMAPHORE ? random.nextInt(3) : 0;
      RenewRequest request = new RenewRequest(ResourceId.lock("s"), null, known, 25, kept);
      return rule -> rule.renew(request);
    }

    /** Something that neither a holder nor a waiter asks for. */
    private Consumer<PermitRule<RuntimeException>> other(long number) {
      if (kind != ResourceKind.SEMAPHORE || random.nextBoolean()) {
        long token = random.nextInt(3) > 0 ? 0 : record.lastToken();
        return rule -> rule.forceRelease(new ForceRequest(ResourceId.lock("s"), token));
      }
      ResizeRequest.Kind how =
          random.nextBoolean()
              ? ResizeRequest.Kind.SET
              : random.nextBoolean() ? ResizeRequest.Kind.ADD : ResizeRequest.Kind.GIVE_UP;
      ResizeRequest request =
          new ResizeRequest(
              ResourceId.lock("s"), number, how, random.nextInt(LIMIT + 1), LIMIT, 1_000_000);
      return rule -> rule.resize(request);
    }
  }
}
