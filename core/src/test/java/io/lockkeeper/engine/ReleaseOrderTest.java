package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** In which order the store gets what one client has decided, and what it asks. */
class ReleaseOrderTest {

  @Test
  void aQuestionComesBehindAReleaseThatAnotherThreadIsAboutToSend() throws Exception {
    CountDownLatch isSending = new CountDownLatch(1);
    CountDownLatch maySend = new CountDownLatch(1);
    ScriptedStore store = ScriptedStore.obliging();
    store.releases.always(
        request -> {
          isSending.countDown();
          awaitOpen(maySend);
          return ScriptedStore.released(request);
        });
    Actor sender = new Actor("sender");
    Actor asker = new Actor("asker");
    try (Lockkeeper keeper = Lockkeeper.builder().connect(context -> store)) {
      DistributedSemaphore semaphore = keeper.semaphore("s", 2);
      PermitLease one = semaphore.tryAcquire().orElseThrow();
      PermitLease other = semaphore.tryAcquire().orElseThrow();
      CompletableFuture<Void> sent =
          sender.begin(
              () -> {
                one.release();
                return null;
              });
      awaitOpen(isSending);
      CompletableFuture<Integer> asked =
          asker.begin(
              () -> {
                other.release(); // the sender finds it in the gate's outbox
                return semaphore.availablePermits();
              });
      await().atMost(Deadlines.GENEROUS).until(() -> !other.isValid());
      maySend.countDown();

      Actor.get(asked);
      Actor.get(sent);
      List<String> kinds = store.log.stream().map(entry -> entry.replaceAll(" .*", "")).toList();
      assertThat(kinds).containsSubsequence("release", "release", "inspect");
    } finally {
      maySend.countDown();
      sender.close();
      asker.close();
    }
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      assertThat(latch.await(Deadlines.GENEROUS.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
