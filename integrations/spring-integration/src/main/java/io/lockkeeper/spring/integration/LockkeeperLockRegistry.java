package io.lockkeeper.spring.integration;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.BiFunction;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.scheduling.TaskScheduler;

/**
 * Spring Integration's registry of locks, on any store of a {@link Lockkeeper}: in place of its
 * registries for Redis, JDBC and ZooKeeper.
 *
 * <pre>{@code
 * @Bean
 * LockRegistry<?> lockRegistry(Lockkeeper keeper) {
 *   return new LockkeeperLockRegistry(keeper, "orders");
 * }
 * }</pre>
 *
 * <p>The lock of a key is {@link Lockkeeper#lock(String)} of {@code registryKey:key}, so other code
 * can wait for it, and see who holds it. A key that no name can have, because it is too long or has
 * control characters, is {@code registryKey:sha256:} and its SHA-256. {@link #fair} gives locks in
 * the order of arrival.
 *
 * <p>A lock is held until it is unlocked: the client renews its lease. With a time to live ({@link
 * RegistryLock#lock(Duration)}) it is held for that time and not renewed, unless {@link #renewLock}
 * is called.
 *
 * <p>Nothing is cached: a lock that nobody uses is nothing, here and at the store, so no capacity
 * has to be set, and nothing has to be cleaned.
 *
 * <p>Thread-safe.
 */
public final class LockkeeperLockRegistry
    implements ExpirableLockRegistry<RegistryLock>, RenewableLockRegistry<RegistryLock> {

  /** As long as with Spring Integration's own registries. */
  private static final Duration TIME_TO_LIVE = Duration.ofSeconds(60);

  /** The longest name of a lock, in bytes. */
  private static final int LONGEST_NAME = 512;

  private static final System.Logger LOG = System.getLogger(LockkeeperLockRegistry.class.getName());

  private final Lockkeeper keeper;
  private final String prefix;
  private final BiFunction<Lockkeeper, String, DistributedLock> kind;

  private LockkeeperLockRegistry(
      Lockkeeper keeper, String registryKey, BiFunction<Lockkeeper, String, DistributedLock> kind) {
    this.keeper = Objects.requireNonNull(keeper, "keeper");
    this.prefix = Objects.requireNonNull(registryKey, "registryKey") + ":";
    this.kind = kind;
  }

  /**
   * Creates a registry of locks that are passed on for throughput.
   *
   * @param registryKey what the locks of this registry share, and no other registry's have
   */
  public LockkeeperLockRegistry(Lockkeeper keeper, String registryKey) {
    this(keeper, registryKey, Lockkeeper::lock);
  }

  /** Returns a registry whose locks are given in the order of arrival. */
  public static LockkeeperLockRegistry fair(Lockkeeper keeper, String registryKey) {
    return new LockkeeperLockRegistry(keeper, registryKey, Lockkeeper::fairLock);
  }

  /**
   * Returns the lock of a key. Each call returns an object of its own for the same lock.
   *
   * @param key a key whose {@code toString} names the lock, such as a message's correlation key
   */
  @Override
  public RegistryLock obtain(Object key) {
    Objects.requireNonNull(key, "key");
    return RegistryLock.of(kind.apply(keeper, name(key.toString())));
  }

  private String name(String key) {
    String name = prefix + key;
    boolean isName =
        name.length() <= LONGEST_NAME
            && name.chars().noneMatch(Character::isISOControl)
            && StandardCharsets.UTF_8.newEncoder().canEncode(name)
            && name.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME;
    return isName ? name : prefix + "sha256:" + hash(key);
  }

  /** Returns the hash of all characters, also of those that are no text. */
  private static String hash(String key) {
    ByteBuffer characters = ByteBuffer.allocate(key.length() * Character.BYTES);
    characters.asCharBuffer().put(key);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(characters.array());
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each Java has it
    }
  }

  /** Does nothing: there is nothing to remove. */
  @Override
  public void expireUnusedOlderThan(long age) {
    // A lock that is not used is not there.
  }

  /**
   * Lets the lock that this thread holds last for 60 seconds from now on, if that is longer than it
   * would have lasted. One without a time to live is renewed by the client anyway.
   *
   * @throws IllegalStateException if this thread does not hold it
   * @throws java.util.ConcurrentModificationException if it has lost it
   */
  @Override
  public void renewLock(Object key) {
    renewLock(key, TIME_TO_LIVE);
  }

  /**
   * Lets the lock that this thread holds last for a time from now on, if that is longer than it
   * would have lasted.
   *
   * @param ttl 50 milliseconds to 24 hours
   * @throws IllegalStateException if this thread does not hold it
   * @throws java.util.ConcurrentModificationException if it has lost it
   */
  @Override
  public void renewLock(Object key, Duration ttl) {
    obtain(key).renew(ttl);
  }

  /** Does nothing: the client renews leases by itself. */
  @Override
  public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {
    LOG.log(
        System.Logger.Level.DEBUG,
        "the scheduler is not needed: leases are renewed by the client, as often as they need it");
  }

  static AcquireOptions fixed(Duration ttl) {
    return AcquireOptions.defaults().withFixedLease(ttl);
  }
}
