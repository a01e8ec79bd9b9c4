package io.lockkeeper.memory;

import static io.lockkeeper.memory.Fixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random operations of several clients on one semaphore, and what must hold after each of them. */
class MemoryPoolRandomTest {

  private static final int SCHEDULES = 500;
  private static final int STEPS = 80;
  private static final int LIMIT = 4;
  private static final ResourceId RESOURCE = new ResourceId(ResourceKind.SEMAPHORE, "r");

  @Test
  void noMoreIsOutThanThereIsAndNobodyWaitsWithoutNeed() {
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
    private final Map<String, Integer> wishes = new HashMap<>();
    private long claims;

    Schedule(long seed) {
      random = new Random(seed);
      fixture.server.onGrant(journal::add);
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        MemoryStore client = clients.get(random.nextInt(clients.size()));
        operate(client);
        check(get(client.inspect(RESOURCE)));
        if (random.nextInt(4) == 0) {
          fixture.pass(random.nextInt(2_500));
        }
      }
      assertThat(journal).extracting(GrantRecord::firstToken).isSorted().doesNotHaveDuplicates();
      assertThat(journal).as("the schedule does something").isNotEmpty();
    }

    private void operate(MemoryStore client) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> get(client.claim(request(client)));
        case 3, 4 -> get(client.release(new ReleaseRequest(RESOURCE, someClaim(), 0, null)));
        case 5 -> get(client.withdraw(RESOURCE, someClaim()));
        case 6 -> client.poll(List.of(new PollRequest(RESOURCE, someClaim())));
        default ->
            client.renew(
                List.of(
                    new RenewRequest(
                        RESOURCE,
                        null,
                        someClaim(),
                        1 + random.nextInt(5_000),
                        random.nextInt(3))));
      }
    }

    private ClaimRequest request(MemoryStore client) {
      Share share = new Share(1 + random.nextInt(LIMIT), LIMIT, false);
      wishes.put(client.clientId() + "." + ++claims, share.permits());
      long lease = 1L + random.nextInt(5_000);
      return new ClaimRequest(RESOURCE, claims, lease, 1, random.nextInt(5) > 0, share);
    }

    private long someClaim() {
      return Math.max(1, claims - random.nextInt(8));
    }

    private void check(Inspection found) {
      long held = found.holders().stream().mapToLong(Inspection.Holder::permits).sum();
      assertThat(found.out()).isEqualTo(held).isLessThanOrEqualTo(LIMIT);
      for (ResourceState state : fixture.server.snapshot()) {
        long waitingClients =
            state.queue().stream().map(ResourceState.WaitingState::clientId).distinct().count();
        assertThat(state.heartbeats()).isEqualTo((int) waitingClients);
        state.queue().stream()
            .filter(ResourceState.WaitingState::live)
            .findFirst()
            .ifPresent(first -> assertThat(wish(first)).isGreaterThan((int) (LIMIT - held)));
      }
    }

    private int wish(ResourceState.WaitingState waiting) {
      return wishes.get(waiting.clientId() + "." + waiting.claim());
    }
  }
}
