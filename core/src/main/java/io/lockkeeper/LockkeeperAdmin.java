package io.lockkeeper;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The operator's view of a client's namespace: shows holders and waiters, revokes a lease, checks
 * the store's health.
 *
 * <p>Reports cover all clients of the namespace. A report is out of date when it arrives: use it
 * for people, not for decisions.
 *
 * <p>Each method throws a {@link StoreUnavailableException} if the store does not answer for the
 * store timeout, a {@link StoreRefusedException} if it refuses the request, and a {@link
 * LockkeeperClosedException} if the client is closed, unless it says otherwise. The wait goes on
 * through interrupts, which are preserved.
 */
public interface LockkeeperAdmin {

  /** As {@link #inspect(ResourceQuery)}: all resources in use. */
  default List<ResourceReport> inspect() {
    return inspect(ResourceQuery.all());
  }

  /**
   * Returns a report on each resource of the query that any client holds or waits for: locks,
   * read-write locks, semaphores, barriers and elections. They are in order of their names, or in
   * the store's order if the query {@linkplain ResourceQuery#parts asks for parts}. Threads that
   * wait inside another client for a {@code lock} that it holds are not included.
   *
   * <p>Each report shows one moment, but not all of them the same moment. Changes nothing. This
   * method asks the store for its resources and then about each of them.
   *
   * @throws IllegalArgumentException if the query's prefix is too long for a name or has control
   *     characters
   */
  List<ResourceReport> inspect(ResourceQuery query);

  /**
   * Returns a report on one resource: its holders and waiters.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has control characters
   */
  ResourceReport inspect(ResourceKind kind, String name);

  /**
   * Returns reports on those of these resources that are in use.
   *
   * @param resources the resources, whatever their glances say
   */
  List<ResourceReport> inspect(Collection<ResourceGlance> resources);

  /**
   * Glances at the resources of a query, so that reports on many can be kept up to date at a small
   * cost for each: {@link #inspect(Collection)} is then asked only about those whose {@linkplain
   * ResourceGlance#stamp stamp} has changed. What a stamp does not say, an inspection now and then
   * does. They are in the store's order.
   *
   * @return empty if this kind of store cannot glance at a resource for much less than a report
   *     costs: so far only a single Redis server can
   * @throws IllegalArgumentException as {@link #inspect(ResourceQuery)}
   */
  Optional<List<ResourceGlance>> glance(ResourceQuery query);

  /**
   * Returns reports on the counters, shared values and latches of the query that are there, in
   * order of their names. Changes nothing.
   *
   * @throws IllegalArgumentException as {@link #inspect(ResourceQuery)}, or if the query asks for
   *     parts
   */
  List<CellReport> cells(ResourceQuery query);

  /**
   * Returns the namespaces that have anything at the store, in order, whichever is this client's.
   * For people who look into the wrong one: the question may look at everything that the store has.
   * What this client's account may not read may be left out.
   */
  List<String> namespaces();

  /**
   * Revokes what one holder holds, whichever client it belongs to, and admits the next waiter. The
   * holder is notified as by {@link DistributedLock#forceUnlock()} if it can still be reached; its
   * tokens are smaller than those of the next holder. Other holders keep what they have.
   *
   * @param holder from a report of a client of the same store and namespace
   * @return whether the holder still held it; if not, nothing has changed
   */
  boolean forceRelease(HolderReport holder);

  /**
   * Asks the store for a sign of life, in one short request that changes nothing: for health
   * checks. It is not repeated. A SQL database must be able to write.
   *
   * @param timeout how long to wait for the answer
   * @return how long it took
   * @throws StoreUnavailableException if the store does not answer in time, or the client is not
   *     {@linkplain LockkeeperBuilder#connectLater connected yet}
   * @throws IllegalArgumentException if the timeout is not positive
   */
  Duration ping(Duration timeout);

  /**
   * Returns why the store grants nothing at present and for how long, or empty if it grants. This
   * is so for a while after a server was restarted that keeps its records in memory: {@code
   * afterLoss} in the URL of a Redis server says for how long. Nothing is asked for this: it is
   * what the store has said, and the store says it when the client connects and when it changes.
   * Throws none of the exceptions above.
   */
  Optional<Quarantine> quarantine();

  /**
   * Returns how many events were dropped because a {@link LockListener} of the client was too slow:
   * with more than 100,000 of them on their way, each further one is. Throws none of the exceptions
   * above.
   */
  long droppedEvents();
}
