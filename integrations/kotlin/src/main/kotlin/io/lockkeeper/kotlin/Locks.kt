@file:OptIn(ExperimentalContracts::class)
// The contracts hold: holdFor() calls the block once, which the compiler does not see.
@file:Suppress("LEAKED_IN_PLACE_LAMBDA", "WRONG_INVOCATION_KIND")

package io.lockkeeper.kotlin

import io.lockkeeper.AcquireOptions
import io.lockkeeper.AcquireTimeoutException
import io.lockkeeper.DistributedSemaphore
import io.lockkeeper.HeldLease
import io.lockkeeper.LeaseLock
import io.lockkeeper.LeaseLostException
import io.lockkeeper.PermitLease
import kotlin.contracts.ExperimentalContracts
import kotlin.contracts.InvocationKind
import kotlin.contracts.contract
import kotlin.time.Duration

/**
 * Runs [block] while a lease of this lock is held. Suspends and never blocks a thread.
 *
 * No thread owns the lease, so the block may suspend and go on elsewhere. It never re-enters: a
 * block that asks for its own lock waits for itself, unless the wait is limited.
 *
 * Once the block has returned, the call returns when the store has confirmed the release; a store
 * that does not answer delays it by the rest of the lease at most. If the block throws or is
 * cancelled, the call ends at once with the release on its way, and a loss is suppressed in what
 * was thrown.
 *
 * A coroutine that is cancelled while it waits takes its claim back from the store. What was
 * granted in the same moment is released.
 *
 * @param options the limit on the wait, and the fixed time for which to hold
 * @param onLoss what becomes of the block if the lease is lost
 * @param block the work
 * @return what the block returns
 * @throws AcquireTimeoutException if the options limit the wait and it has passed
 * @throws LeaseLostException if the lease was lost during a block that threw nothing
 */
public suspend fun <L : HeldLease, T> LeaseLock<L>.withLease(
  options: AcquireOptions = AcquireOptions.defaults(),
  onLoss: LossAction = LossAction.REPORT,
  block: suspend (L) -> T,
): T {
  contract { callsInPlace(block, InvocationKind.EXACTLY_ONCE) }
  return awaitLease(options).holdFor(onLoss, block)
}

/**
 * Runs [block] as [withLease], if there is a lease within [wait].
 *
 * @param wait how long to wait at most; zero or less asks once and does not wait in the queue
 * @return what the block returns, or null if the time passed first
 */
public suspend fun <L : HeldLease, T> LeaseLock<L>.withLeaseOrNull(
  wait: Duration,
  onLoss: LossAction = LossAction.REPORT,
  block: suspend (L) -> T,
): T? {
  contract { callsInPlace(block, InvocationKind.AT_MOST_ONCE) }
  return awaitLeaseOrNull(wait)?.holdFor(onLoss, block)
}

/**
 * Acquires a lease, which the caller releases, best by [awaitRelease]. Suspends until it is there;
 * cancellation is as that of [withLease].
 *
 * @throws AcquireTimeoutException if the options limit the wait and it has passed
 */
public suspend fun <L : HeldLease> LeaseLock<L>.awaitLease(
  options: AcquireOptions = AcquireOptions.defaults()
): L = awaitLease { acquireAsync(options) }

/**
 * Acquires a lease as [awaitLease], if there is one within [wait].
 *
 * @param wait how long to wait at most; zero or less asks once and does not wait in the queue
 * @return the lease, or null if the time passed first
 */
public suspend fun <L : HeldLease> LeaseLock<L>.awaitLeaseOrNull(wait: Duration): L? = orNull {
  awaitLease(AcquireOptions.defaults().withWait(wait))
}

/** Runs [block] while one permit is held, as [LeaseLock.withLease]. */
public suspend fun <T> DistributedSemaphore.withPermit(
  options: AcquireOptions = AcquireOptions.defaults(),
  onLoss: LossAction = LossAction.REPORT,
  block: suspend (PermitLease) -> T,
): T {
  contract { callsInPlace(block, InvocationKind.EXACTLY_ONCE) }
  return awaitPermits(1, options).holdFor(onLoss, block)
}

/**
 * Runs [block] while so many permits are held, as [LeaseLock.withLease].
 *
 * @throws IllegalArgumentException if [permits] is not positive, or more than the semaphore has
 */
public suspend fun <T> DistributedSemaphore.withPermits(
  permits: Int,
  options: AcquireOptions = AcquireOptions.defaults(),
  onLoss: LossAction = LossAction.REPORT,
  block: suspend (PermitLease) -> T,
): T {
  contract { callsInPlace(block, InvocationKind.EXACTLY_ONCE) }
  return awaitPermits(permits, options).holdFor(onLoss, block)
}

/**
 * Acquires permits, all or none, with one lease, as [LeaseLock.awaitLease].
 *
 * @throws IllegalArgumentException if [permits] is not positive, or more than the semaphore has
 */
public suspend fun DistributedSemaphore.awaitPermits(
  permits: Int = 1,
  options: AcquireOptions = AcquireOptions.defaults(),
): PermitLease = awaitLease { acquireAsync(permits, options) }

/** Acquires permits as [awaitPermits]; returns null if [wait] passes first. */
public suspend fun DistributedSemaphore.awaitPermitsOrNull(
  wait: Duration,
  permits: Int = 1,
): PermitLease? = orNull { awaitPermits(permits, AcquireOptions.defaults().withWait(wait)) }
