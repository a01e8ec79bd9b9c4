package io.lockkeeper.kotlin

import io.lockkeeper.AcquireTimeoutException
import io.lockkeeper.Lease
import io.lockkeeper.LeaseLostException
import io.lockkeeper.Lockkeeper
import io.lockkeeper.ResourceKind
import io.lockkeeper.spring.EnableLocks
import io.lockkeeper.spring.Locked
import io.lockkeeper.spring.OnFailure
import io.lockkeeper.spring.OnLoss
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

/** Suspending functions and flows with [Locked]. */
class LockedSuspendingTest {

  private val other = Lockkeeper.connect(URL)
  private lateinit var context: AnnotationConfigApplicationContext
  private lateinit var bean: Stock

  @BeforeEach
  fun start() {
    context = AnnotationConfigApplicationContext(Base::class.java, Stock::class.java)
    bean = context.getBean(Stock::class.java)
  }

  @AfterEach
  fun close() {
    context.close()
    other.close()
  }

  @Configuration
  @EnableLocks(proxyTargetClass = true)
  open class Base {
    @Bean open fun keeper(): Lockkeeper = Lockkeeper.connect(URL)
  }

  open class Stock {

    @Locked(name = "stock", key = ["#sku"], onLoss = OnLoss.INTERRUPT)
    open suspend fun <T> deduct(sku: Int, lease: Lease?, work: suspend (Lease) -> T): T {
      yield()
      return work(lease!!)
    }

    @Locked(name = "stock:1")
    open fun tokens(lease: Lease?): Flow<Long> = flow {
      repeat(3) {
        delay(1.milliseconds)
        emit(lease!!.token())
      }
    }

    @Locked(name = "stock:1", waitTime = "0")
    open suspend fun impatient(): Int {
      yield()
      return 1
    }

    @Locked(name = "stock:1", waitTime = "0", onFailure = OnFailure.SKIP)
    open suspend fun skipped(): Int? = 1

    @Locked(name = "stock:1", waitTime = "0", fallback = "instead")
    open suspend fun withFallback(sku: Int): Int = sku

    open suspend fun instead(sku: Int): Int {
      yield()
      return -sku
    }
  }

  open class Launcher {
    @Locked open fun begin(): Job = error("never called")
  }

  private fun test(body: suspend CoroutineScope.() -> Unit) = runBlocking {
    withTimeout(60.seconds, body)
  }

  private suspend fun awaitIdle() {
    while (!other.admin().inspect(ResourceKind.LOCK, "stock:1").isIdle) delay(2.milliseconds)
  }

  @Test
  fun aSuspendingFunctionHoldsUntilItReturns() = test {
    val during =
      bean.deduct(1, null) { lease ->
        delay(5.milliseconds)
        assertThat(lease.isValid).isTrue()
        other.lock("stock:1").isLocked
      }
    assertThat(during).isTrue()
    assertThat(other.lock("stock:1").isLocked).isFalse()
  }

  @Test
  fun anExceptionOrACancellationReleases() = test {
    assertThrows<IllegalStateException> { bean.deduct(1, null) { error("no") } }
    awaitIdle()
    val begun = CompletableDeferred<Unit>()
    val job = launch {
      bean.deduct(1, null) {
        begun.complete(Unit)
        awaitCancellation()
      }
    }
    begun.await()
    job.cancelAndJoin()
    awaitIdle()
  }

  @Test
  fun aFlowHoldsWhileItIsCollected() = test {
    val flow = bean.tokens(null)
    assertThat(other.lock("stock:1").isLocked).isFalse()
    assertThat(flow.toList()).hasSize(3)
    assertThat(other.lock("stock:1").isLocked).isFalse()
  }

  @Test
  fun aCallThatDoesNotGetItsLockDoesWhatItSays() = test {
    assertThat(bean.impatient()).isEqualTo(1)
    assertThat(bean.withFallback(7)).isEqualTo(7)
    val held = other.lock("stock:1").awaitLease()
    assertThrows<AcquireTimeoutException> { bean.impatient() }
    assertThat(bean.skipped()).isNull()
    assertThat(bean.withFallback(7)).isEqualTo(-7)
    held.awaitRelease()
  }

  @Test
  fun aLossCancelsTheFunction() = test {
    val cancelled = CompletableDeferred<Unit>()
    assertThrows<LeaseLostException> {
      bean.deduct(1, null) {
        other.lock("stock:1").forceUnlock()
        try {
          awaitCancellation()
        } finally {
          cancelled.complete(Unit)
        }
      }
    }
    cancelled.await()
  }

  @Test
  fun aJobFailsTheStart() {
    assertThatThrownBy {
        AnnotationConfigApplicationContext(Base::class.java, Launcher::class.java).close()
      }
      .hasStackTraceContaining("make it a suspending function")
  }

  private companion object {
    const val URL = "memory:locked-suspending-test"
  }
}
