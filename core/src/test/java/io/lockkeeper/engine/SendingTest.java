package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a release reaches a store. */
@SuppressWarnings("LockNotBeforeTry") // where a test locks is what it is about
class SendingTest {

  @Test
  void aReleaseIsSentByTheThreadThatReleases() {
    try (Rig rig = Rig.obliging()) {
      List<Thread> senders = new ArrayList<>();
      rig.store.releases.always(
          request -> {
            senders.add(Thread.currentThread());
            return ScriptedStore.released(request);
          });
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();
      assertThat(senders).hasSize(1);
      rig.got(lock.acquireAsync()).close();
      DistributedLock write = rig.keeper.readWriteLock("b").writeLock();
      write.lock();
      write.unlock();

      assertThat(senders).hasSize(3).containsOnly(Thread.currentThread());
    }
  }

  @Test
  void aReleaseDoesNotWaitForTheStoreAndTheNextClaimComesBehindIt() {
    try (Rig rig = Rig.obliging()) {
      rig.store.releases.manual();
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();
      assertThat(lock.isHeldByCurrentThread()).isFalse();
      assertThat(rig.store.log).containsExactly("claim 1", "release 1");

      lock.lock();
      assertThat(rig.store.log).containsExactly("claim 1", "release 1", "claim 2");
      lock.unlock();
      assertThat(rig.store.log).containsExactly("claim 1", "release 1", "claim 2", "release 2");
    }
  }

  @Test
  void permitsThatAreReleasedAreAskedForAgain() {
    try (Rig rig = Rig.obliging()) {
      DistributedSemaphore semaphore = rig.keeper.semaphore("s", 3);
      semaphore.tryAcquire(2).orElseThrow().release();
      semaphore.tryAcquire(2).orElseThrow().release();

      // The first use asks for the number of permits too.
      assertThat(rig.store.log)
          .containsExactly("claim 1", "inspect", "release 1", "claim 2", "release 2");
    }
  }

  @Test
  void aQuestionComesBehindTheRelease() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();
      lock.isLocked();

      assertThat(rig.store.log).containsExactly("claim 1", "release 1", "inspect");
    }
  }

  @Test
  void aStageOfAReleaseCompletesWhenItIsConfirmed() {
    try (Rig rig = Rig.obliging()) {
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
}
