package io.lockkeeper.spi.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.engine.ManualScheduler;
import io.lockkeeper.engine.ManualTime;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.support.ForwardingListener;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a store of records does when something is thrown on the way to the records. */
class RecordBasedStoreTest {

  private static final ResourceId NAME = ResourceId.lock("n");

  private final ManualTime time = new ManualTime();
  private final Port port = new Port();
  private final RecordBasedStore store =
      new RecordBasedStore(port, context(time), Duration.ofSeconds(3));

  private static StoreContext context(ManualTime clock) {
    return new StoreContext(
        "c1",
        "test",
        "ns",
        Timings.DEFAULT,
        // Only the jitter of pauses is random, on which nothing here depends.
        new Environment(clock, () -> new ManualScheduler(clock), new Random(1)));
  }

  /** Throws an error at each reading that is to fail, and answers no other. */
  private final class Port implements RecordStore {

    private int failures;
    private int readings;

    @Override
    public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
      readings++;
      if (failures-- > 0) {
        throw new NoClassDefFoundError("made up");
      }
      return CompletableFuture.completedFuture(
          requests.stream()
              .map(request -> Outcome.<Reading>unknown(new IllegalStateException("no answer")))
              .toList());
    }

    @Override
    public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
      throw new AssertionError("nothing was read");
    }

    @Override
    public StoreTraits traits() {
      return new StoreTraits(false, true);
    }

    @Override
    public String describe() {
      return "records";
    }

    @Override
    public RecordClock clock() {
      return RecordClock.shared(time);
    }

    @Override
    public void listen(Listener listener) {}

    @Override
    public CompletionStage<Outcome<List<String>>> list(String prefix) {
      return CompletableFuture.completedFuture(Outcome.answered(List.of()));
    }

    @Override
    public void close() {}
  }

  private CompletableFuture<Outcome<ClaimAnswer>> claim(long number) {
    return store.claim(new ClaimRequest(NAME, number, 30_000, 1, true)).toCompletableFuture();
  }

  @Test
  void anErrorOfThePortEndsItsOperationAndTheNextOneOnTheRecordIsCarriedOut() {
    port.failures = 1;
    CompletableFuture<Outcome<ClaimAnswer>> first = claim(1);
    CompletableFuture<Outcome<WithdrawAnswer>> second =
        store.withdraw(NAME, 1).toCompletableFuture();

    assertThat(first).isCompletedWithValueMatching(Outcome.Unknown.class::isInstance);
    assertThat(second).isCompletedWithValueMatching(Outcome.Unknown.class::isInstance);
    assertThat(port.readings).isEqualTo(2);
  }

  /** An ordered store whose readings for a change lag behind. */
  private static final class Lagging implements RecordStore {

    private static final long VERSION = 7;

    private static final String HELD =
        "1 lock 0 5 other label 1 1 5 5 false 7:0 7:30000000 30000000 true";

    /** Whether it has a lock that another client holds, and answers what must be current. */
    private boolean isHeld;

    private final RecordClock clock;
    private @Nullable Listener listener;

    Lagging(ManualTime time) {
      this.clock = RecordClock.own(time);
    }

    @Override
    public boolean isOrdered() {
      return true;
    }

    @Override
    public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
      return CompletableFuture.completedFuture(
          requests.stream()
              .map(
                  request ->
                      request.isCurrent() && !isHeld
                          ? Outcome.<Reading>unknown(new IllegalStateException("no answer"))
                          : Outcome.answered(reading(request)))
              .toList());
    }

    private Reading reading(ReadRequest request) {
      return !isHeld
          ? Reading.of(VERSION, "1 lock 0 5", List.of(new Entry("a/1", "?")))
          : request.first() == ReadRequest.ALL
              ? Reading.of(VERSION, HELD, List.of())
              : Reading.page(VERSION, HELD, List.of(), List.of());
    }

    @Override
    public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
      return CompletableFuture.completedFuture(
          changes.stream()
              .map(change -> Outcome.<CommitAnswer>unknown(new IllegalStateException("none")))
              .toList());
    }

    @Override
    public StoreTraits traits() {
      return StoreTraits.PLAIN;
    }

    @Override
    public String describe() {
      return "lagging records";
    }

    @Override
    public RecordClock clock() {
      return clock;
    }

    @Override
    public void listen(Listener hears) {
      listener = hears;
    }

    @Override
    public CompletionStage<Outcome<List<String>>> list(String prefix) {
      return CompletableFuture.completedFuture(Outcome.answered(List.of()));
    }

    @Override
    public void close() {}
  }

  /** Otherwise a holder would count its lease from a moment after the grant. */
  @Test
  void aReadingThatMayLagSaysNothingOfWhenALaterGrantWasMade() {
    Lagging lagging = new Lagging(time);
    AtomicLong decided = new AtomicLong(Long.MAX_VALUE);
    try (RecordBasedStore lags =
        new RecordBasedStore(lagging, context(time), Duration.ofSeconds(3))) {
      lags.listen(
          new ForwardingListener() {
            @Override
            protected void forward(Consumer<NotificationListener> notification) {}

            @Override
            public void granted(ResourceId resource, Grant grant) {
              decided.set(grant.storeMicros());
            }
          });
      long before = lagging.clock.micros();

      lags.withdraw(NAME, 1);
      Objects.requireNonNull(lagging.listener)
          .message("granted LOCK n 1 1 9 9 " + Lagging.VERSION + ":0 1000000 false false");

      assertThat(decided.get()).isLessThan(before);
    }
  }

  /** It needs all claims, and then a reading that is current: both at once, or it never ends. */
  @Test
  void aStepThatChangesNothingEndsThoughItNeedsMoreThanTheFirstClaims() {
    Lagging lagging = new Lagging(time);
    lagging.isHeld = true;
    try (RecordBasedStore lags =
        new RecordBasedStore(lagging, context(time), Duration.ofSeconds(3))) {
      assertThat(lags.renew(List.of(new RenewRequest(NAME, 1, 1_000))).toCompletableFuture().join())
          .containsExactly(Outcome.answered(new RenewAnswer(false, false)));
    }
  }
}
