package io.lockkeeper.cache;

import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import java.util.Objects;

/** How a {@link CacheGuard} behaves. Immutable; each {@code with} method returns a changed copy. */
public final class CacheGuardOptions {

  private static final Duration MAX = Duration.ofDays(365);

  private static final CacheGuardOptions DEFAULTS =
      new CacheGuardOptions(
          Duration.ofMinutes(10),
          0.1,
          Duration.ofSeconds(30),
          Duration.ZERO,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          false);

  private final Duration timeToLive;
  private final double jitter;
  private final Duration absentTimeToLive;
  private final Duration staleTime;
  private final Duration loadLease;
  private final Duration maxWait;
  private final boolean loadingWithoutLock;

  private CacheGuardOptions(
      Duration timeToLive,
      double jitter,
      Duration absentTimeToLive,
      Duration staleTime,
      Duration loadLease,
      Duration maxWait,
      boolean loadingWithoutLock) {
    this.timeToLive = timeToLive;
    this.jitter = jitter;
    this.absentTimeToLive = absentTimeToLive;
    this.staleTime = staleTime;
    this.loadLease = loadLease;
    this.maxWait = maxWait;
    this.loadingWithoutLock = loadingWithoutLock;
  }

  /**
   * Returns the defaults: values live for 10 minutes less up to a tenth, absent ones for 30
   * seconds, nothing stale is served, a loader may delay others by 10 seconds, and a wait of more
   * than 30 seconds ends with a {@link CacheWaitException}.
   */
  public static CacheGuardOptions defaults() {
    return DEFAULTS;
  }

  private static Duration check(String what, Duration time, Duration min, Duration max) {
    Objects.requireNonNull(time, what);
    if (time.compareTo(min) < 0 || time.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          what
              + " must be from "
              + DurationText.of(min)
              + " to "
              + DurationText.of(max)
              + ", was "
              + DurationText.of(time));
    }
    return time;
  }

  /**
   * Sets how long a value is fresh, at most: see {@link #withJitter}.
   *
   * @param timeToLive from 1 millisecond to 365 days
   * @throws IllegalArgumentException if outside that range
   */
  public CacheGuardOptions withTimeToLive(Duration timeToLive) {
    return new CacheGuardOptions(
        check("timeToLive", timeToLive, Duration.ofMillis(1), MAX),
        jitter,
        absentTimeToLive,
        staleTime,
        loadLease,
        maxWait,
        loadingWithoutLock);
  }

  /**
   * Sets by which part of its time to live a value may expire earlier, at random: so that values
   * that were loaded together do not expire together.
   *
   * @param jitter from 0 to 0.9
   * @throws IllegalArgumentException if outside that range
   */
  public CacheGuardOptions withJitter(double jitter) {
    if (!(jitter >= 0 && jitter <= 0.9)) {
      throw new IllegalArgumentException("jitter must be from 0 to 0.9, was " + jitter);
    }
    return new CacheGuardOptions(
        timeToLive, jitter, absentTimeToLive, staleTime, loadLease, maxWait, loadingWithoutLock);
  }

  /**
   * Sets how long it is remembered that a key has no value; zero for not at all.
   *
   * @param absentTimeToLive up to 365 days
   * @throws IllegalArgumentException if outside that range
   */
  public CacheGuardOptions withAbsentTimeToLive(Duration absentTimeToLive) {
    return new CacheGuardOptions(
        timeToLive,
        jitter,
        check("absentTimeToLive", absentTimeToLive, Duration.ZERO, MAX),
        staleTime,
        loadLease,
        maxWait,
        loadingWithoutLock);
  }

  /**
   * Sets how long a value is still served after its time to live while one caller loads the next
   * one; zero, the default, for not at all.
   *
   * @param staleTime up to 365 days
   * @throws IllegalArgumentException if outside that range
   */
  public CacheGuardOptions withStaleTime(Duration staleTime) {
    return new CacheGuardOptions(
        timeToLive,
        jitter,
        absentTimeToLive,
        check("staleTime", staleTime, Duration.ZERO, MAX),
        loadLease,
        maxWait,
        loadingWithoutLock);
  }

  /**
   * Sets for how long one loader keeps others from loading the same value: the lease of its lock,
   * which is not renewed. One that takes longer returns its value to its caller, and does not write
   * it. So choose more than loading takes.
   *
   * @param loadLease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if outside that range
   */
  public CacheGuardOptions withLoadLease(Duration loadLease) {
    return new CacheGuardOptions(
        timeToLive,
        jitter,
        absentTimeToLive,
        staleTime,
        check("loadLease", loadLease, Duration.ofMillis(50), Duration.ofHours(24)),
        maxWait,
        loadingWithoutLock);
  }

  /**
   * Sets how long a caller waits at most for the right to load, or for another's value.
   *
   * @param maxWait up to 365 days; zero for not at all
   * @throws IllegalArgumentException if outside that range
   */
  public CacheGuardOptions withMaxWait(Duration maxWait) {
    return new CacheGuardOptions(
        timeToLive,
        jitter,
        absentTimeToLive,
        staleTime,
        loadLease,
        check("maxWait", maxWait, Duration.ZERO, MAX),
        loadingWithoutLock);
  }

  /**
   * Sets whether a caller loads the value without the lock when the limit on the wait has passed or
   * the store of the locks does not answer. Otherwise, as by default, that is an exception. With
   * it, readers outlast the loss of the locks, and the database has to bear one load per client at
   * a time, and one per thread of those that waited to their limit.
   */
  public CacheGuardOptions withLoadingWithoutLock(boolean loadingWithoutLock) {
    return new CacheGuardOptions(
        timeToLive, jitter, absentTimeToLive, staleTime, loadLease, maxWait, loadingWithoutLock);
  }

  /** Returns how long a value is fresh at most. */
  public Duration timeToLive() {
    return timeToLive;
  }

  /** Returns by which part of its time to live a value may expire earlier. */
  public double jitter() {
    return jitter;
  }

  /** Returns how long it is remembered that a key has no value. */
  public Duration absentTimeToLive() {
    return absentTimeToLive;
  }

  /** Returns how long a value is still served after its time to live. */
  public Duration staleTime() {
    return staleTime;
  }

  /** Returns for how long one loader keeps others from loading. */
  public Duration loadLease() {
    return loadLease;
  }

  /** Returns how long a caller waits at most. */
  public Duration maxWait() {
    return maxWait;
  }

  /** Returns whether a caller that cannot have the lock loads without it. */
  public boolean isLoadingWithoutLock() {
    return loadingWithoutLock;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CacheGuardOptions that
        && timeToLive.equals(that.timeToLive)
        && Double.compare(jitter, that.jitter) == 0
        && absentTimeToLive.equals(that.absentTimeToLive)
        && staleTime.equals(that.staleTime)
        && loadLease.equals(that.loadLease)
        && maxWait.equals(that.maxWait)
        && loadingWithoutLock == that.loadingWithoutLock;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        timeToLive, jitter, absentTimeToLive, staleTime, loadLease, maxWait, loadingWithoutLock);
  }

  @Override
  public String toString() {
    return "CacheGuardOptions[timeToLive="
        + timeToLive
        + ", jitter="
        + jitter
        + ", absentTimeToLive="
        + absentTimeToLive
        + ", staleTime="
        + staleTime
        + ", loadLease="
        + loadLease
        + ", maxWait="
        + maxWait
        + ", loadingWithoutLock="
        + loadingWithoutLock
        + "]";
  }
}
