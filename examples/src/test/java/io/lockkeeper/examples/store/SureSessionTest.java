package io.lockkeeper.examples.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.support.ForwardingListener;
import io.lockkeeper.testkit.tck.store.DelegatingRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A client gets what it waits for right after it was suspended: its session may end before the
 * grant, and another client would then take the lock.
 */
class SureSessionTest {

  private static final ResourceId LOCK = ResourceId.lock("n");
  private static final long SURE_MILLIS = 300;

  private final ManualTime time = new ManualTime();
  private final MapsServer server = new MapsServer("sure", time);
  private final SuspendedClient records = new SuspendedClient();
  private final Store holder = time.open("holder", new RecordsWithSessions(server, "holder"));
  private final Store waiter = time.open("waiter", records);
  private final List<Grant> notified = new ArrayList<>();

  private final class SuspendedClient extends DelegatingRecords {

    private long sessionMillis = Long.MAX_VALUE;

    SuspendedClient() {
      super(new RecordsWithSessions(server, "waiter"));
    }

    @Override
    public long sessionMillis() {
      return sessionMillis;
    }
  }

  @AfterEach
  void close() {
    holder.close();
    waiter.close();
  }

  private static <T> T answer(CompletionStage<Outcome<T>> outcome) {
    return ((Outcome.Answered<T>) outcome.toCompletableFuture().join()).answer();
  }

  /** X1: what it holds, no other client holds. */
  @Test
  void aGrantThatComesAfterASuspensionLastsNoLongerThanTheSessionIsSure() {
    waiter.listen(
        new ForwardingListener() {
          @Override
          protected void forward(Consumer<NotificationListener> notification) {}

          @Override
          public void granted(ResourceId resource, Grant grant) {
            notified.add(grant);
          }
        });
    ClaimAnswer held = answer(holder.claim(new ClaimRequest(LOCK, 1, 10_000, 1, true)));
    assertThat(answer(waiter.claim(new ClaimRequest(LOCK, 1, 10_000, 1, true))))
        .isInstanceOf(Queued.class);
    records.sessionMillis = SURE_MILLIS;

    Grant ended = ((ClaimAnswer.Granted) held).grant();
    answer(holder.release(new ReleaseRequest(LOCK, ended.grant(), ended.lastToken(), null)));

    assertThat(notified)
        .singleElement()
        .extracting(Grant::leaseMicros)
        .isEqualTo(SURE_MILLIS * 1_000);
  }
}
