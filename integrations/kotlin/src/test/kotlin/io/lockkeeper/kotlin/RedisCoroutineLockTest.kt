package io.lockkeeper.kotlin

import io.lockkeeper.Lockkeeper
import io.lockkeeper.servers.RedisServer
import org.junit.jupiter.api.AfterAll

class RedisCoroutineLockTest : CoroutineLockTests() {

  override fun connect(): Lockkeeper = Lockkeeper.connect(server.url())

  companion object {
    private val server = RedisServer.start()

    @JvmStatic
    @AfterAll
    fun stop() {
      server.close()
    }
  }
}
