package io.lockkeeper.kotlin

import io.lockkeeper.AcquireTimeoutException
import io.lockkeeper.HeldLease
import io.lockkeeper.LeaseLost
import io.lockkeeper.LeaseLostException
import io.lockkeeper.LockkeeperClosedException
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Releases this lease, and suspends until the store has confirmed it. A coroutine that is cancelled
 * meanwhile has released it all the same.
 *
 * @throws LeaseLostException if the lease was lost before; nobody else's lease is touched
 */
public suspend fun HeldLease.awaitRelease() {
  releaseAsync().await()
}

/** Suspends until this lease is lost, for good if it is released before. */
public suspend fun HeldLease.awaitLoss(): LeaseLost = lost().await()

/** Runs [block] with this lease, and releases it. */
internal suspend fun <L : HeldLease, T> L.holdFor(
  onLoss: LossAction,
  block: suspend (L) -> T,
): T {
  val result =
    try {
      when (onLoss) {
        LossAction.REPORT -> block(this)
        LossAction.CANCEL -> cancelledByLoss(block)
      }
    } catch (failure: Throwable) {
      releaseAsync().whenComplete { _, more ->
        if (more is LeaseLostException && failure !is LeaseLostException) {
          failure.addSuppressed(more)
        }
      }
      throw failure
    }
  try {
    awaitRelease()
  } catch (_: LockkeeperClosedException) {
    // Released, and nobody to confirm it.
  }
  return result
}

private suspend fun <L : HeldLease, T> L.cancelledByLoss(block: suspend (L) -> T): T =
  coroutineScope {
    val watch =
      launch(start = CoroutineStart.UNDISPATCHED) { throw LeaseLostException(awaitLoss()) }
    val result = block(this@cancelledByLoss)
    watch.cancel()
    result
  }

internal suspend fun <L : HeldLease> orNull(acquire: suspend () -> L): L? =
  try {
    acquire()
  } catch (_: AcquireTimeoutException) {
    null
  }

/**
 * Suspends until the stage is complete. If the coroutine is cancelled, the stage is: the one that
 * the lock has returned, because cancelling that withdraws the claim. A lease that comes all the
 * same is released.
 */
internal suspend fun <L : HeldLease> awaitLease(acquire: () -> CompletionStage<L>): L {
  currentCoroutineContext().ensureActive()
  return suspendCancellableCoroutine { continuation ->
    val stage = acquire()
    continuation.invokeOnCancellation { stage.toCompletableFuture().cancel(false) }
    stage.whenComplete { lease: L?, failure ->
      if (lease != null) {
        continuation.resume(lease) { _, unwanted, _ -> unwanted.releaseAsync() }
      } else {
        continuation.resumeWithException(
          if (failure is CompletionException) failure.cause ?: failure else failure
        )
      }
    }
  }
}
