package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.LockOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What a store gets to hear of releases that are held back until it sends. */
@SuppressWarnings("LockNotBeforeTry") // where a test locks is what it is about
class SendingTest {

  private final Queue<Runnable> tasks = new ArrayDeque<>();

  private Rig rig() {
    Rig rig = Rig.obliging();
    rig.store.sending = tasks::add;
    return rig;
  }

  /** Lets the store come to send. */
  private void send() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  @Test
  void aReleaseIsSentWhenTheStoreSends() {
    try (Rig rig = rig()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();
      assertThat(rig.store.log).containsExactly("claim 1");
      assertThat(lock.isHeldByCurrentThread()).isFalse();
      send();

      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
      assertThat(tasks).isEmpty();
    }
  }

  @Test
  void whoLocksAgainBeforeThatAsksNothingAndGetsALargerToken() {
    try (Rig rig = rig()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      long token = lock.token();
      lock.unlock();
      lock.lock();
      assertThat(lock.token()).isGreaterThan(token);
      send();
      assertThat(rig.store.log).containsExactly("claim 1");
      lock.unlock();
      send();

      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
    }
  }

  @Test
  void aQuestionComesBehindTheRelease() {
    try (Rig rig = rig()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();
      lock.isLocked();

      assertThat(rig.store.log).containsExactly("claim 1", "release 1", "inspect");
    }
  }

  @Test
  void whoWaitsForTheConfirmationHasItSent() {
    try (Rig rig = rig()) {
      DistributedLock lock =
          rig.keeper.lock("a", LockOptions.defaults().withConfirmedRelease(true));
      lock.lock();
      lock.unlock();

      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
    }
  }

  @Test
  void aStageOfAReleaseCompletesWhenItIsConfirmed() {
    try (Rig rig = rig()) {
      rig.store.releases.manual();
      CompletableFuture<?> released =
          rig.got(rig.keeper.lock("a").acquireAsync()).releaseAsync().toCompletableFuture();
      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
      assertThat(released).isNotDone();
      var release = rig.store.releases.next();
      release.reply(ScriptedStore.released(release.request));

      rig.settle();
      assertThat(released).isDone();
    }
  }

  @Test
  void anErrorOfWhatSendsHoldsNothingBackForLong() {
    try (Rig rig = rig()) {
      DistributedLock lock = rig.keeper.lock("a");
      rig.store.sending =
          task -> {
            throw new StackOverflowError("for a test");
          };
      lock.lock();
      lock.unlock();
      assertThat(rig.store.log).containsExactly("claim 1", "release 1");

      rig.store.sending = task -> {}; // it loses one
      lock.lock();
      lock.unlock();
      rig.freeze(Duration.ofMillis(20));
      rig.store.sending = tasks::add;
      lock.lock();
      lock.unlock();
      rig.store.log.clear();
      lock.lock();
      lock.unlock();
      send();
      assertThat(rig.store.log).containsExactly("claim 3", "release 3");
    }
  }

  @Test
  void aStoreThatTakesNoTasksGetsItAtOnce() {
    try (Rig rig = rig()) {
      rig.store.sending =
          task -> {
            throw new RejectedExecutionException("closed");
          };
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      assertThatNoException().isThrownBy(lock::unlock);

      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
    }
  }

  @Test
  void closingSendsIt() {
    Rig rig = rig();
    DistributedLock lock = rig.keeper.lock("a");
    lock.lock();
    lock.unlock();
    rig.close();

    assertThat(rig.store.log).containsExactly("claim 1", "release 1");
  }
}
