package io.lockkeeper.kotlin

import io.lockkeeper.AcquireOptions
import io.lockkeeper.AcquireTimeoutException
import io.lockkeeper.DistributedLock
import io.lockkeeper.HeldLease
import io.lockkeeper.Lease
import io.lockkeeper.LeaseLostException
import io.lockkeeper.Lockkeeper
import io.lockkeeper.ResourceKind
import java.util.concurrent.CompletionStage
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** The promises of the suspending functions. */
abstract class CoroutineLockTests {

  private val keeper = connect()
  private val other = connect()
  private val lock = keeper.lock("stock")
  private val elsewhere = other.lock("stock")

  abstract fun connect(): Lockkeeper

  @AfterEach
  fun close() {
    keeper.close()
    other.close()
  }

  private fun test(body: suspend CoroutineScope.() -> Unit) = runBlocking {
    withTimeout(60.seconds) { withContext(Dispatchers.Default, body) }
  }

  private suspend fun until(condition: () -> Boolean) {
    while (!condition()) delay(2.milliseconds)
  }

  private suspend fun awaitIdle() = until {
    other.admin().inspect(ResourceKind.LOCK, "stock").isIdle
  }

  private fun waiters() = other.admin().inspect(ResourceKind.LOCK, "stock").waiters.size

  @Test
  fun aBlockHoldsTheLockUntilItReturns() = test {
    val token: Long // the compiler knows that the block runs once
    lock.withLease { lease ->
      yield()
      assertThat(elsewhere.isLocked).isTrue()
      token = lease.token()
    }
    assertThat(elsewhere.isLocked).isFalse()
    assertThat(lock.withLease { it.token() }).isGreaterThan(token)
  }

  @Test
  fun anErrorOfTheBlockGoesOnAndReleases() = test {
    assertThrows<IllegalStateException> { lock.withLease { error("no") } }
    awaitIdle()
  }

  @Test
  fun coroutinesExcludeEachOtherOnWhicheverThread() = test {
    val inside = AtomicInteger()
    val most = AtomicInteger()
    withContext(Dispatchers.Default) {
      repeat(60) { i ->
        launch {
          (if (i % 2 == 0) lock else elsewhere).withLease {
            most.accumulateAndGet(inside.incrementAndGet(), ::maxOf)
            yield()
            inside.decrementAndGet()
          }
        }
      }
    }
    assertThat(most.get()).isEqualTo(1)
  }

  // ------------------------------------------------------------- cancellation

  @Test
  fun aCancelledBlockReleases() = test {
    val begun = CompletableDeferred<Unit>()
    val job = launch {
      lock.withLease {
        begun.complete(Unit)
        awaitCancellation()
      }
    }
    begun.await()
    job.cancelAndJoin()
    awaitIdle()
  }

  @Test
  fun aCancelledWaitLeavesTheQueue() = test {
    val held = elsewhere.awaitLease()
    val job = launch { lock.withLease { error("must not run") } }
    until { waiters() == 1 }
    job.cancelAndJoin()
    until { waiters() == 0 }
    assertThat(held.isValid).isTrue()
    held.awaitRelease()
    awaitIdle()
  }

  @Test
  fun aCoroutineThatIsCancelledBeforeAsksForNothing() = test {
    val asked = AtomicInteger()
    val counting =
      object : DistributedLock by lock {
        override fun acquireAsync(options: AcquireOptions): CompletionStage<Lease> {
          asked.incrementAndGet()
          return lock.acquireAsync(options)
        }
      }
    launch {
      currentCoroutineContext().cancel()
      counting.awaitLease()
    }
      .join()
    assertThat(asked.get()).isZero()
    counting.withLease {}
    assertThat(asked.get()).isEqualTo(1)
  }

  @Test
  fun aGrantInTheMomentOfTheCancellationIsReleased() = test {
    repeat(40) { i ->
      val held = elsewhere.awaitLease()
      val job =
        launch(start = CoroutineStart.UNDISPATCHED) {
          if (i % 2 == 0) lock.withLease { awaitCancellation() }
          else lock.awaitLease().awaitRelease()
        }
      held.release()
      val until = TimeSource.Monotonic.markNow() + (i * 20).microseconds
      while (until.hasNotPassedNow()) Thread.onSpinWait()
      job.cancelAndJoin()
      awaitIdle()
    }
  }

  // ------------------------------------------------------------- limited waits

  @Test
  fun aWaitThatIsOverIsNullOrAnException() = test {
    val held = elsewhere.awaitLease()
    assertThat(lock.awaitLeaseOrNull(Duration.ZERO)).isNull()
    assertThat(lock.withLeaseOrNull(1.milliseconds) { 1 }).isNull()
    assertThrows<AcquireTimeoutException> {
      lock.withLease(AcquireOptions.defaults().withWait(1.milliseconds)) { error("must not run") }
    }
    held.awaitRelease()
    assertThat(lock.withLeaseOrNull(60.seconds) { 1 }).isEqualTo(1)
    assertThrows<AcquireTimeoutException> {
      lock.withLeaseOrNull(60.seconds) { throw AcquireTimeoutException("of something else") }
    }
    awaitIdle()
  }

  // ------------------------------------------------------------- losses

  private suspend fun lose(lease: HeldLease) {
    elsewhere.forceUnlock()
    lease.awaitLoss()
  }

  @Test
  fun aLossIsThrownOrSuppressed() = test {
    assertThrows<LeaseLostException> { lock.withLease { lose(it) } }
    val failure =
      assertThrows<IllegalArgumentException> {
        lock.withLease {
          lose(it)
          throw IllegalArgumentException("no")
        }
      }
    assertThat(failure.suppressed).hasAtLeastOneElementOfType(LeaseLostException::class.java)
  }

  @Test
  fun aLossCancelsTheBlockOnRequest() = test {
    val cancelled = CompletableDeferred<Unit>()
    assertThrows<LeaseLostException> {
      lock.withLease(onLoss = LossAction.CANCEL) {
        elsewhere.forceUnlock()
        try {
          awaitCancellation()
        } finally {
          cancelled.complete(Unit)
        }
      }
    }
    cancelled.await()
    assertThat(lock.withLease(onLoss = LossAction.CANCEL) { 1 }).isEqualTo(1)
    assertThrows<IllegalStateException> {
      lock.withLease(onLoss = LossAction.CANCEL) { error("no") }
    }
    awaitIdle()
  }

  // ------------------------------------------------------------- every kind

  @Test
  fun itIsForEveryKindOfLock() = test {
    val prices = keeper.readWriteLock("prices")
    prices.readLock().withLease {
      assertThat(other.readWriteLock("prices").writeLock().awaitLeaseOrNull(Duration.ZERO)).isNull()
    }
    val pool = keeper.semaphore("pool", 3)
    pool.withPermits(2) {
      pool.withPermit { one -> assertThat(one.permits()).isEqualTo(1) }
      assertThat(pool.awaitPermitsOrNull(Duration.ZERO, 2)).isNull()
    }
    assertThrows<IllegalArgumentException> { pool.awaitPermits(4) }
    val both = Lockkeeper.multiLock(lock, keeper.lock("stock:2"))
    assertThat(both.withLease { it.tokens() }).hasSize(2)
    awaitIdle()
  }

  @Test
  fun durationsAreKotlins() {
    assertThat(AcquireOptions.defaults().withFixedLease(5.seconds).fixedLease())
      .hasValue(java.time.Duration.ofSeconds(5))
    assertThat(AcquireOptions.defaults().withWait(Duration.INFINITE).maxWait()).isPresent()
  }
}

class MemoryCoroutineLockTest : CoroutineLockTests() {
  override fun connect(): Lockkeeper = Lockkeeper.connect("memory:coroutine-lock-test")
}
