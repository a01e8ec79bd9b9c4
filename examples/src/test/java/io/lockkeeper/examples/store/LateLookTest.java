package io.lockkeeper.examples.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.store.DelegatingRecords;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A claim meets the grant of a client that has gone, and the answer about that client comes late.
 */
class LateLookTest {

  private static final ResourceId LOCK = ResourceId.lock("n");

  private final ManualTime time = new ManualTime();
  private final MapsServer server = new MapsServer("late", time);
  private final RecordStore gone = new RecordsWithSessions(server, "gone");
  private final LateReadings late = new LateReadings(new RecordsWithSessions(server, "other"));
  private final Store holder = time.open("gone", gone);
  private final Store other = time.open("other", late);

  /** Delays the readings of a client's record. */
  private static final class LateReadings extends DelegatingRecords {

    private final CompletableFuture<Void> comes = new CompletableFuture<>();

    LateReadings(RecordStore records) {
      super(records);
    }

    @Override
    public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
      return requests.get(0).key().endsWith("/gone")
          ? comes.thenCompose(now -> records.read(requests))
          : records.read(requests);
    }
  }

  @AfterEach
  void close() {
    other.close();
  }

  private static <T> CompletionStage<T> answer(CompletionStage<Outcome<T>> outcome) {
    return outcome.thenApply(it -> ((Outcome.Answered<T>) it).answer());
  }

  /** Nothing that was withdrawn comes back. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aClaimThatIsWithdrawnMeanwhileIsNotMadeAgain(boolean isWithdrawn) {
    assertThat(answer(holder.claim(new ClaimRequest(LOCK, 1, 10_000, 1, false))))
        .isCompletedWithValueMatching(ClaimAnswer.Granted.class::isInstance);
    gone.close();
    CompletionStage<ClaimAnswer> claim =
        answer(other.claim(new ClaimRequest(LOCK, 1, 10_000, 1, false)));
    if (isWithdrawn) {
      assertThat(answer(other.withdraw(LOCK, 1))).isCompletedWithValue(WithdrawAnswer.LEFT);
    }

    late.comes.complete(null);

    assertThat(claim)
        .isCompletedWithValueMatching(
            (isWithdrawn ? ClaimAnswer.Busy.class : ClaimAnswer.Granted.class)::isInstance);
    assertThat(answer(other.inspect(LOCK)))
        .isCompletedWithValueMatching(inspection -> inspection.isIdle() == isWithdrawn);
  }
}
