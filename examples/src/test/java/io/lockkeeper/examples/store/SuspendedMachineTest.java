package io.lockkeeper.examples.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A machine that is suspended while it holds a lock of a store without a clock. Its processes have
 * seen nothing meanwhile, but their leases have run.
 */
class SuspendedMachineTest {

  private static final ResourceId LOCK = ResourceId.lock("n");

  private final ManualTime time = new ManualTime();

  /** Stands still while the holder's machine is suspended. */
  private final ManualTime steady = new ManualTime();

  private final MapsServer server = new MapsServer("suspended", time);
  private final Store holder = time.open("holder", records("holder", steady));
  private final Store other = time.open("other", records("other", time));

  private RecordStore records(String client, ManualTime intervals) {
    return new RecordsWithoutClock(server.open(client), RecordClock.own(intervals));
  }

  @AfterEach
  void close() {
    holder.close();
    other.close();
  }

  private void pass(long millis) {
    time.advance(Duration.ofMillis(millis));
    steady.advance(Duration.ofMillis(millis));
  }

  private void suspend(long millis) {
    time.advance(Duration.ofMillis(millis));
  }

  private static <T> T answer(CompletionStage<Outcome<T>> outcome) {
    return ((Outcome.Answered<T>) outcome.toCompletableFuture().join()).answer();
  }

  private static <T> T first(CompletionStage<List<Outcome<T>>> outcomes) {
    return answer(outcomes.thenApply(list -> list.get(0)));
  }

  private Grant lock(long leaseMillis) {
    ClaimRequest request = new ClaimRequest(LOCK, 1, leaseMillis, 1, true);
    return ((ClaimAnswer.Granted) answer(holder.claim(request))).grant();
  }

  private ClaimAnswer ask(long claim) {
    return answer(other.claim(new ClaimRequest(LOCK, claim, 10_000, 1, false)));
  }

  /** L1: a renewal keeps others out for what it was asked for. */
  @Test
  void aRenewalAfterASuspensionLastsToOthersAsLongAsToItsHolder() {
    Grant held = lock(1_000);
    assertThat(ask(1)).isInstanceOf(ClaimAnswer.Busy.class);
    suspend(700);

    RenewRequest request = new RenewRequest(LOCK, held.grant(), 500);
    RenewAnswer renewed = first(holder.renew(List.of(request)));
    assertThat(renewed.renewed()).isTrue();
    assertThat(ask(2)).isInstanceOf(ClaimAnswer.Busy.class);
    pass(499);

    assertThat(ask(3)).isInstanceOf(ClaimAnswer.Busy.class);
  }

  /** L1: an answer counts the suspension. */
  @Test
  void aHolderThatLooksAfterASuspensionRetainsWhatIsLeft() {
    lock(1_000);
    suspend(700);

    PollAnswer found = first(holder.poll(List.of(new PollRequest(LOCK, 1))));

    assertThat(found).isInstanceOf(PollAnswer.Granted.class);
    assertThat(((PollAnswer.Granted) found).grant().leaseMicros()).isBetween(1L, 300_000L);
  }
}
