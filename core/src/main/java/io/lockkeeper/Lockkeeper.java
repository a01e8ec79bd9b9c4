package io.lockkeeper;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * One client of one store: the source of locks, and the owner of everything that this process holds
 * through it.
 *
 * <p>Create one per process and store, share it between all threads, and close it at the end. Every
 * method may be called from any thread, virtual threads included.
 *
 * <pre>{@code
 * try (Lockkeeper keeper = Lockkeeper.connect("redis://localhost")) {
 *   DistributedLock lock = keeper.lock("stock:1001");
 *   lock.lock();
 *   try {
 *     stock.update(item, lock.token());
 *   } finally {
 *     lock.unlock();
 *   }
 * }
 * }</pre>
 *
 * <p><b>Names.</b> A resource is named by 1 to 512 bytes of UTF-8 without control characters; any
 * other Unicode is allowed, braces and spaces included. Names are case-sensitive. One name in one
 * namespace is one resource, by whichever method it is accessed: {@code lock("a")} and {@code
 * fairLock("a")} exclude each other. A lock, a read-write lock, a semaphore and a barrier of one
 * name are four resources.
 *
 * <p><b>Same name, same lock.</b> Two objects of one name from one client are the same lock.
 * Re-entrancy goes by client, name and thread, never by object.
 *
 * <p><b>Snapshots.</b> A client must not be in a snapshot of a running process (CRaC, a virtual
 * machine, a checkpoint of a container): two copies of it, or a copy beside its original, are one
 * client to the store, and both may hold one lease with one token. Close it before the snapshot is
 * taken, and connect again after the restore.
 *
 * <p>This file is long because it has all that begins with a client, and what it promises.
 */
public interface Lockkeeper extends AutoCloseable {

  /**
   * Connects to the store at {@code url} with default settings.
   *
   * @param url the store's address, such as {@code redis://localhost:6379} or {@code memory:test}
   * @return a connected client
   * @throws IllegalArgumentException if no store on the class path knows the URL's scheme, or the
   *     URL is malformed; the message lists the known schemes and never contains a password
   * @throws StoreUnavailableException if the store does not answer within the connect timeout
   */
  static Lockkeeper connect(String url) {
    return builder().connect(url);
  }

  /**
   * Connects as the properties {@code lockkeeper.*} say, which have the names, units and defaults
   * of those of the Spring Boot starter: {@code lockkeeper.url} is the store's address, {@code
   * lockkeeper.lease=10s} a length of time. Other properties are not looked at, and one that is
   * empty leaves its default. The namespace is {@code lockkeeper} unless it is given.
   *
   * @return a connected client
   * @throws IllegalArgumentException if a property under {@code lockkeeper.} is not known, or has a
   *     value that cannot be, or if the URL is missing; the message says which and what would be
   *     right, and never contains a password. Nothing has been opened then
   * @throws StoreUnavailableException if the store does not answer within the connect timeout, and
   *     the client is not to {@linkplain LockkeeperBuilder#connectLater connect later}
   */
  static Lockkeeper fromProperties(Map<String, String> properties) {
    return fromProperties(properties, builder -> {});
  }

  /**
   * As {@link #fromProperties(Map)}, with what has no property, such as a listener.
   *
   * @param properties the settings, which replace those of {@code customizer}
   * @param customizer gets the builder first; it leaves the connecting to this method
   */
  static Lockkeeper fromProperties(
      Map<String, String> properties, Consumer<? super LockkeeperBuilder> customizer) {
    return ClientProperties.connect(properties, customizer);
  }

  /**
   * As {@link #fromProperties(Map)}, with the defaults of {@code properties}.
   *
   * @throws IllegalArgumentException also if the value of a property under {@code lockkeeper.} is
   *     no text
   */
  static Lockkeeper fromProperties(Properties properties) {
    return fromProperties(ClientProperties.texts(properties));
  }

  /**
   * As {@link #fromProperties(Map)}, from a file. One that ends in {@code .yaml} or {@code .yml} is
   * read by SnakeYAML ({@code org.yaml:snakeyaml}), which the application has on its class path,
   * and has the names as Spring Boot has them in YAML. Any other is in the format of {@link
   * Properties#load(InputStream)}: its characters are those of ISO 8859-1, and a colon in a name is
   * written {@code \:}.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException also if the file is no YAML and should be
   * @throws IllegalStateException if the file is YAML and SnakeYAML is not there
   */
  static Lockkeeper fromProperties(Path file) throws IOException {
    return fromProperties(ClientProperties.read(file));
  }

  /**
   * As {@link #fromEnvironment(Map)}, from the environment variables of this process.
   *
   * @return a connected client
   */
  static Lockkeeper fromEnvironment() {
    return fromEnvironment(System.getenv());
  }

  /**
   * Connects as environment variables say that begin with {@code LOCKKEEPER_}: those that Spring
   * Boot takes for the properties of {@link #fromProperties(Map)}, in capitals, with an underscore
   * for each dot. {@code LOCKKEEPER_URL} is the store's address; {@code client-name} is {@code
   * LOCKKEEPER_CLIENT_NAME} or {@code LOCKKEEPER_CLIENTNAME}. {@code
   * LOCKKEEPER_LOCKS_CLEANUP_LEASE} is the lease of the lock {@code cleanup}; only names of small
   * letters and digits can be written so. Other variables are not looked at, nor are those that
   * Kubernetes makes for a service called {@code lockkeeper}.
   *
   * @return a connected client
   * @throws IllegalArgumentException if a variable that begins with {@code LOCKKEEPER_} is not
   *     known, or has a value that cannot be, or if the URL is missing; the message says which and
   *     what would be right, and never contains a password. Nothing has been opened then
   * @throws StoreUnavailableException if the store does not answer within the connect timeout, and
   *     the client is not to {@linkplain LockkeeperBuilder#connectLater connect later}
   */
  static Lockkeeper fromEnvironment(Map<String, String> variables) {
    return ClientProperties.connectBy(variables);
  }

  /** Returns a builder with default settings. */
  static LockkeeperBuilder builder() {
    return new LockkeeperBuilder();
  }

  /**
   * Returns the mutual-exclusion lock of this name, made for throughput.
   *
   * <p>It has the {@linkplain LockkeeperBuilder#lockOptions options of its name}.
   *
   * <p>Between clients it is first come, first served. Inside a client it may be handed off from
   * thread to thread without the store, at most {@link LockOptions#maxLocalHandoffs()} times in a
   * row while another client waits.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has control characters
   */
  default DistributedLock lock(String name) {
    return lock(name, LockOptions.defaults());
  }

  /** As {@link #lock(String)}, with options. */
  DistributedLock lock(String name, LockOptions options);

  /**
   * Returns the lock of this name in strict order: first come, first served over all threads of all
   * clients, in the order in which their requests reached the store. It has the {@linkplain
   * LockkeeperBuilder#lockOptions options of its name}.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has control characters
   */
  default DistributedLock fairLock(String name) {
    return fairLock(name, LockOptions.defaults());
  }

  /** As {@link #fairLock(String)}, with options. */
  DistributedLock fairLock(String name, LockOptions options);

  /**
   * Runs work that several processes start and one shall do, such as a scheduled job: takes the
   * lock of this name if it is free, runs the work, and keeps the lock closed until {@code atLeast}
   * has passed since it was taken, however short the work was, also if it throws. It does not wait
   * for a holder. If the store grants nothing for now ({@link LockkeeperAdmin#quarantine}), it
   * waits for the end of that, unless this takes longer than {@code atLeast}: then it logs a
   * warning and returns false.
   *
   * <p>Choose {@code atLeast} longer than the clocks of the processes differ, and shorter than the
   * time between two runs less that difference. Work that takes longer than {@code atLeast} keeps
   * the lock until it ends, by a lease that is renewed. If the process dies during the work, the
   * lock is free when its lease ends. {@link Lease#releaseAfter} has what ends the time early.
   *
   * @param name the name of the lock
   * @param atLeast how long the lock is kept from its acquisition, up to 24 hours
   * @param body the work; what it throws is thrown on, with a failure of the release suppressed in
   *     it
   * @param <E> what the work may throw
   * @return whether the work was done; false if the lock was held or still closed, or the store
   *     grants nothing
   * @throws E what the work throws
   * @throws InterruptedException if interrupted while asking for the lock; the work is then not
   *     done
   * @throws IllegalArgumentException if the name is empty, too long or has control characters, or
   *     {@code atLeast} is negative or longer than 24 hours
   * @throws IllegalStateException if the current thread holds this lock
   * @throws LeaseLostException if the lease was lost during work that threw nothing: it may not
   *     have been alone
   * @throws StoreUnavailableException if the store does not answer; if that was only after the
   *     work, whether the lock is kept closed is not known
   * @throws StoreRefusedException if the store refuses the request
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  <E extends Exception> boolean once(String name, Duration atLeast, LeaseLock.Action<E> body)
      throws E, InterruptedException;

  /**
   * Returns the read-write lock of this name: any number of readers, or one writer, first come,
   * first served.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has control characters
   */
  default DistributedReadWriteLock readWriteLock(String name) {
    return readWriteLock(name, ReadWriteOptions.defaults());
  }

  /** As {@link #readWriteLock(String)}, with options. */
  DistributedReadWriteLock readWriteLock(String name, ReadWriteOptions options);

  /**
   * Returns the semaphore of this name.
   *
   * @param permits the number of permits if this is the first use of the semaphore, at least 1; see
   *     {@link DistributedSemaphore}
   * @throws IllegalArgumentException if the name is empty, too long or has control characters, or
   *     {@code permits} is not positive
   */
  DistributedSemaphore semaphore(String name, int permits);

  /**
   * Returns the barrier of this name.
   *
   * @param parties the number of members that pass together, at least 1; all must give the same
   *     number
   * @throws IllegalArgumentException if the name is empty, too long or has control characters, or
   *     {@code parties} is not positive
   */
  DistributedBarrier barrier(String name, int parties);

  /**
   * Returns the counter of this name.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has control characters
   */
  DistributedCounter counter(String name);

  /**
   * Returns the shared value of this name.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has control characters
   */
  SharedValue sharedValue(String name);

  /**
   * Returns the count-down latch of this name.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has control characters
   */
  DistributedCountDownLatch countDownLatch(String name);

  /**
   * Returns this client's part in the election of a leader, as a candidate once it is started, or
   * as an observer. Elections have names of their own: {@code leaderElection("a")} and {@code
   * lock("a")} are independent.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has control characters
   */
  default LeaderElection leaderElection(String name) {
    return leaderElection(name, LeaderOptions.defaults());
  }

  /** As {@link #leaderElection(String)}, with options. */
  LeaderElection leaderElection(String name, LeaderOptions options);

  /**
   * Returns one lock made of several, which are acquired all or none, in an order that is the same
   * for everybody. They may belong to any clients and any stores. A lock that is given twice counts
   * once.
   *
   * @throws IllegalArgumentException if there is no lock, if one was not made by this library, or
   *     if two are the same resource through two clients, which would wait for each other
   */
  static MultiLock multiLock(DistributedLock... locks) {
    return multiLock(Arrays.asList(locks));
  }

  /** As {@link #multiLock(DistributedLock...)}. */
  static MultiLock multiLock(Collection<? extends DistributedLock> locks) {
    return Composition.multiLock(locks);
  }

  /**
   * Returns a quorum of clients of independent stores, whose locks are held at a majority of the
   * stores. Closing the clients remains the caller's task.
   *
   * @throws IllegalArgumentException if there are fewer than three, if one was not made by this
   *     library, or if two are clients of one store
   */
  static Quorum quorum(Lockkeeper... keepers) {
    return quorum(Arrays.asList(keepers));
  }

  /** As {@link #quorum(Lockkeeper...)}. */
  static Quorum quorum(Collection<? extends Lockkeeper> keepers) {
    return Composition.quorum(keepers);
  }

  /** Returns the operator's view of this client's namespace: reports, revocation, health. */
  LockkeeperAdmin admin();

  /** Returns this client's id: unique among all clients of all stores. */
  String clientId();

  /**
   * Returns this client's name, which people see when they look at the store. By default {@code
   * host/pid}.
   */
  String clientName();

  /**
   * Ends every wait with a {@link LockkeeperClosedException}, releases everything held, waits a
   * bounded time (the store's command timeout, a few seconds) for the store to confirm, and stops
   * every thread and connection of this client. Holders are notified with a {@link LeaseLost}.
   * Closing again does nothing.
   */
  @Override
  void close();
}
