package io.lockkeeper.kotlin

import io.lockkeeper.AcquireOptions
import io.lockkeeper.Lockkeeper
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

class KotlinGuideTest {

  private class Stock {
    suspend fun deduct(sku: String, count: Int, token: Long): Int {
      delay(token.coerceAtMost(1))
      return sku.length - count
    }

    fun lines() = listOf("1001;3", "1002;5")
  }

  private class Shop(private val keeper: Lockkeeper) {
    private val stock = Stock()

    suspend fun sell(sku: String): Int =
      keeper.lock("stock:$sku").withLease(AcquireOptions.defaults().withWait(5.seconds)) { lease ->
        stock.deduct(sku, 1, lease.token())
      }

    suspend fun export(): List<String> =
      keeper.semaphore("exports", 3).withPermit(onLoss = LossAction.CANCEL) { stock.lines() }
  }

  @Test
  fun whatTheGuideShowsRuns() {
    Lockkeeper.connect("memory:kotlin-guide").use { keeper ->
      runBlocking {
        assertThat(Shop(keeper).sell("1001")).isEqualTo(3)
        assertThat(Shop(keeper).export()).hasSize(2)
      }
    }
  }
}
