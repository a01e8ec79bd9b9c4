package io.lockkeeper.kotlin

import io.lockkeeper.AcquireOptions
import io.lockkeeper.LockOptions
import io.lockkeeper.ReadWriteOptions
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Limits the wait. Zero or less asks once and does not wait in the queue. */
public fun AcquireOptions.withWait(wait: Duration): AcquireOptions = withWait(wait.toJavaDuration())

/**
 * Gives the lease a fixed length: it is not renewed and ends by itself.
 *
 * @param lease from 50 milliseconds to 24 hours
 * @throws IllegalArgumentException if outside that range
 */
public fun AcquireOptions.withFixedLease(lease: Duration): AcquireOptions =
  withFixedLease(lease.toJavaDuration())

/** Sets how long a lease lasts at the store if nothing renews it, as the method of that name. */
public fun LockOptions.withLease(lease: Duration): LockOptions = withLease(lease.toJavaDuration())

/** Keeps a released lock for so long while nobody else waits, as the method of that name. */
public fun LockOptions.withRetention(retention: Duration): LockOptions =
  withRetention(retention.toJavaDuration())

/** Sets how long a lease lasts at the store if nothing renews it, as the method of that name. */
public fun ReadWriteOptions.withLease(lease: Duration): ReadWriteOptions =
  withLease(lease.toJavaDuration())
