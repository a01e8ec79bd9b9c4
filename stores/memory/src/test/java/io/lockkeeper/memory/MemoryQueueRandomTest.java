package io.lockkeeper.memory;

import static io.lockkeeper.memory.Fixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random operations of several clients on one resource, and what must hold after each of them. */
class MemoryQueueRandomTest {

  private static final int SCHEDULES = 500;
  private static final int STEPS = 80;

  @Test
  void theRuleOfTheQueueHoldsAfterEveryOperation() {
    long firstSeed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    for (long seed = firstSeed; seed < firstSeed + SCHEDULES; seed++) {
      try {
        new Schedule(seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("replay with -Dlockkeeper.test.seed=" + seed, e);
      }
    }
  }

  private static final class Schedule {

    private final Random random;
    private final Fixture fixture = new Fixture();
    private final List<MemoryStore> clients =
        List.of(fixture.open("a"), fixture.open("b"), fixture.open("c"));
    private final List<GrantRecord> journal = new ArrayList<>();
    private long claims;

    Schedule(long seed) {
      random = new Random(seed);
      fixture.server.onGrant(journal::add);
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        operate(clients.get(random.nextInt(clients.size())));
        check();
        if (random.nextInt(4) == 0) {
          fixture.pass(random.nextInt(2_500));
        }
      }
      checkJournal();
    }

    private void operate(MemoryStore client) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> get(client.claim(request(random.nextInt(5) > 0)));
        case 3, 4 -> get(client.release(release()));
        case 5 -> get(client.withdraw(ResourceId.lock("r"), someClaim()));
        case 6 -> client.poll(List.of(new PollRequest(ResourceId.lock("r"), someClaim())));
        default -> renewOrForce(client);
      }
    }

    private void renewOrForce(MemoryStore client) {
      if (random.nextInt(10) == 0) {
        get(client.forceRelease(new ForceRequest(ResourceId.lock("r"), Long.MAX_VALUE)));
      } else {
        client.renew(
            List.of(
                new RenewRequest(ResourceId.lock("r"), someClaim(), 1 + random.nextInt(5_000))));
      }
    }

    private ReleaseRequest release() {
      ResourceState.HolderState holder = holder();
      long grant = holder == null ? 0 : holder.grant();
      ClaimRequest requeue = random.nextInt(3) == 0 ? request(true) : null;
      return new ReleaseRequest(ResourceId.lock("r"), grant, ReleaseRequest.UNKNOWN, requeue);
    }

    private ClaimRequest request(boolean queue) {
      boolean again = random.nextInt(6) == 0 && claims > 1 && !queue;
      long claim = again ? someClaim() : ++claims;
      int tokens = 1 + random.nextInt(5);
      return new ClaimRequest(
          ResourceId.lock("r"), claim, 1 + random.nextInt(5_000), tokens, queue);
    }

    private long someClaim() {
      return 1L + random.nextInt((int) Math.max(1, claims));
    }

    private ResourceState.HolderState holder() {
      List<ResourceState> states = fixture.server.snapshot();
      return states.isEmpty() ? null : states.get(0).holder();
    }

    private void check() {
      for (ResourceState state : fixture.server.snapshot()) {
        if (state.holder() == null) {
          assertThat(state.queue()).as("nobody waits for a free resource").isEmpty();
        } else {
          assertThat(state.holder().claims())
              .isNotEmpty()
              .hasSizeLessThanOrEqualTo(Store.MAX_BATCH);
        }
        assertThat(state.queue())
            .extracting(ResourceState.WaitingState::arrival)
            .isSorted()
            .doesNotHaveDuplicates();
        long waitingClients =
            state.queue().stream().map(ResourceState.WaitingState::clientId).distinct().count();
        assertThat(state.heartbeats()).isEqualTo((int) waitingClients);
      }
    }

    /**
     * Tokens start above all that a holder used: here none is ever used, so blocks may begin again.
     */
    private void checkJournal() {
      assertThat(journal).extracting(GrantRecord::firstToken).isSorted();
      List<Long> arrivals =
          journal.stream()
              .flatMap(line -> line.claims().stream())
              .map(GrantRecord.Admitted::arrival)
              .toList();
      assertThat(arrivals).as("first come, first served").isSorted().doesNotHaveDuplicates();
      assertThat(journal).as("the schedule does something").isNotEmpty();
    }
  }
}
