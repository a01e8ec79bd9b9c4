package io.lockkeeper.spi.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.engine.ManualScheduler;
import io.lockkeeper.engine.ManualTime;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.WithdrawAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a store of records does when something is thrown on the way to the records. */
class RecordBasedStoreTest {

  private static final ResourceId NAME = ResourceId.lock("n");

  private final ManualTime time = new ManualTime();
  private final Port port = new Port();
  private final RecordBasedStore store =
      new RecordBasedStore(
          port,
          new StoreContext(
              "c1",
              "test",
              "ns",
              Timings.DEFAULT,
              // Only the jitter of pauses is random, on which nothing here depends.
              new Environment(time, () -> new ManualScheduler(time), new Random(1))),
          Duration.ofSeconds(3));

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
}
