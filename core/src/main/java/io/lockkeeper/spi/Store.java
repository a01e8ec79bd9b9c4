package io.lockkeeper.spi;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.Quarantine;
import io.lockkeeper.ResourceKind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store keeps, for each resource, one fencing token, the grants, and a queue of claims; and
 * cells, each of which holds a value.
 *
 * <h2>The rule of the queue</h2>
 *
 * A claim is a client's request for a resource, identified by a number that the client chose. It is
 * granted at once if nothing is granted and no live claim waits; otherwise it waits in order of
 * arrival. Whenever the grant ends (released, withdrawn, forced, or expired and noticed by any
 * operation that passes), the first live claim is granted <i>in the same atomic step</i>, together
 * with the claims of the same client directly behind it that ask for the same lease, at most {@link
 * #MAX_BATCH} in all: a <i>batch</i>. A batch has one grant, named by the number of its first
 * claim, one lease, and a block of tokens; the client serves its claims in their order.
 *
 * <p>This is the rule for locks. The other kinds of resources are below.
 *
 * <p>A waiting claim is live while its client's last {@link #claim} or {@link #poll} on the
 * resource is younger than the heartbeat timeout, or, at a store that knows its clients by
 * sessions, while its client's session lasts. A claim that is granted out of the queue has only
 * {@link Timings#claimDeadlineMillis} at first: its client must {@link #renew} (or release) by
 * then.
 *
 * <h2>Shared resources</h2>
 *
 * Kinds other than locks ({@link ResourceKind}) have several grants side by side. Each is for one
 * claim, has that claim's number, {@linkplain Share#permits() permits}, one token and a lease of
 * its own, and is named by its owner and its number. The number of permits is the resource's
 * <i>limit</i>; the permits that the grants have in all are <i>out</i>.
 *
 * <ul>
 *   <li><b>Order.</b> Whenever permits come free (a grant ended or shrank, a claim in front was
 *       withdrawn or died, the limit was raised), live claims are admitted from the head of the
 *       queue, in the same step, as long as enough permits are free for the next one. So a claim
 *       for many permits is not starved by claims for few behind it. A claim is granted at once if
 *       enough permits are free and no live claim waits.
 *   <li><b>Overtaking.</b> A claim that {@linkplain Share#overtakes() overtakes} is admitted, at
 *       once or out of the queue, as soon as enough permits are free for it, even if other claims
 *       wait before it.
 *   <li><b>Too much.</b> A claim for more permits than the limit does not block others: it is
 *       skipped and keeps its place until the limit is raised.
 *   <li><b>Barriers.</b> A barrier's claims ask for one permit each, and permits that are out do
 *       not count: as soon as {@code limit} live claims wait, the new one included, the first
 *       {@code limit} are admitted together. The claim that completes the group is granted at once.
 *       All of their grants last for the full lease at once: they keep nobody out, and a member
 *       that could not be reached for a while must still find its own. A claim that was {@linkplain
 *       #withdraw withdrawn} there stays withdrawn: a copy of it that arrives within {@link
 *       #WITHDRAWN_MILLIS} is answered {@link ClaimAnswer.Busy} and changes nothing.
 *   <li><b>Limit.</b> A resource that nobody uses (nothing granted, nobody waiting) takes the limit
 *       of the next claim, which then counts, whatever other claims say, until nobody uses it
 *       again. A limit set by {@link #resize} counts instead of that of any claim, and is kept for
 *       good, also while nobody uses the resource, until it is set again or given up.
 *   <li><b>Polls.</b> A poll and a repeated claim ask about exactly the claim that they name, since
 *       one client may hold several grants of one resource.
 *   <li><b>Owners.</b> A release and a renewal may name another client's grant of a semaphore. A
 *       client whose grant was released by another is notified by {@link
 *       NotificationListener#revoked}.
 *   <li><b>Not here.</b> There are no batches, no further claim with a release, and no report that
 *       others wait, because shared resources are not handed off inside a client. A claim asks for
 *       one token. Each claim that a release, a withdrawal, a renewal or a change of the limit
 *       admits gets a notification of its own, even if it belongs to the caller.
 * </ul>
 *
 * <h2>Tokens</h2>
 *
 * The first token of a grant is larger than every token ever given for the resource, and the block
 * of a grant covers the sum of {@link ClaimRequest#tokens()} of its claims. Tokens keep growing
 * over release, expiry, withdrawal, forced release and, as far as the store can do it, its own
 * restart.
 *
 * <h2>Cells</h2>
 *
 * A cell ({@link CellId}) holds a {@link CellValue} and has a version, which every change makes
 * larger: also over its deletion and new creation, and, as far as the store can do it, over the
 * store's own restart. A change that leaves the cell as it was leaves the version too. A cell
 * outlives the client that created it: it stays until it is deleted or its time to live is over.
 *
 * <p><b>Updates may be repeated.</b> A client gives each of its {@linkplain CellUpdate updates} a
 * number. The store remembers the last update of each client on each cell, with its results, for
 * {@link CellUpdate#rememberMillis()}; a repeated update with that number changes nothing and gets
 * the same results. An update with a smaller number than the last one arrives late: it is refused
 * and changes nothing.
 *
 * <p><b>Watching.</b> A {@linkplain CellRead read} can make its client a watcher of the cell for
 * the heartbeat time, or until the next change: an update that changes the cell notifies the other
 * watchers ({@link NotificationListener#cellChanged}) and removes them, so that a cell that changes
 * often costs no more notifications than its watchers read. The end of a time to live notifies
 * nobody. A read without a watch ends the watch of its client.
 *
 * <h2>Order of calls</h2>
 *
 * <pre>
 *   listen (once) -> claim -> Granted -------------------> renew* -> release
 *                          -> Queued -> look* -> Granted -> renew* -> release
 *                                    -> withdraw
 *                          -> Busy (nothing is left behind)
 *   any answer can be Unknown: the same call again, with the same claim number, is always allowed
 * </pre>
 *
 * <p>Every operation is asynchronous, returns without blocking, and never completes exceptionally:
 * a failure is an {@link Outcome}. Every operation does complete: with {@link Outcome.Unknown} when
 * the store has not answered for its command timeout. The engine does not repeat a request while it
 * waits for the answer. Every operation may be repeated with the same arguments without further
 * effect (a repeated claim refreshes its own lease or its place's liveness). All durations are
 * measured on the store's own clock; a store without a clock measures them on the clocks of the
 * waiters, from the moment at which they first see what they wait for, and so never too short.
 *
 * <p>Results may complete on any thread; the engine does little there and never blocks.
 */
public interface Store extends AutoCloseable {

  /** The largest number of claims that one grant covers. */
  int MAX_BATCH = 32;

  /** The largest number of changes in one update. */
  int MAX_CHANGES = 100;

  /**
   * The least time for which a barrier remembers withdrawn claims. Elsewhere a late copy of a claim
   * only delays others until its client releases it; at a barrier it would complete a group.
   */
  long WITHDRAWN_MILLIS = 60_000;

  /** Returns the properties of this kind of store. */
  StoreTraits traits();

  /** Returns the store's address for error messages, without any secret. */
  String describe();

  /**
   * Returns why this store grants nothing at present and for how long, as far as it knows without
   * asking; empty if it grants.
   */
  default Optional<Quarantine> quarantine() {
    return Optional.empty();
  }

  /**
   * Sets the listener for notifications. Called once, before any other operation. A notification
   * may arrive late, twice or not at all; only the store's answers are reliable.
   */
  void listen(NotificationListener listener);

  /**
   * Claims a resource. For a claim that is already granted, renews the lease and answers the grant
   * again.
   */
  CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request);

  /**
   * Ends a grant and admits the next claim; then, in the same step, puts {@link
   * ReleaseRequest#requeue()} into the queue (before the next claim is admitted, if both are
   * given). If the named grant is not a current one ({@linkplain ReleaseRequest#isAbout its token}
   * tells it from an earlier one of a lock with the same number), or its lease is over, it changes
   * nothing about the grant and says so, but the requeued claim still counts.
   *
   * <p>With {@linkplain ReleaseRequest#restMillis() a rest} the lock is not free: from now on, for
   * so long and no longer, a client has it that {@linkplain Inspection.Holder#resting does not
   * exist}. A later release or renewal of the grant is of one that is not current; only the same
   * request again is answered as it was the first time, for as long as the lock rests. What is
   * forgotten of a rest with the store's memory is not waited for, since nobody relies on it.
   */
  CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request);

  /**
   * Withdraws a claim: removes it from the queue or from a batch, or, if it is the last one of a
   * batch, releases that grant. The claim may be unknown: a barrier then refuses it if it arrives
   * later, and answers whether it had passed before.
   */
  CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim);

  /**
   * Moves the ends of grants to {@code leaseMillis} from now, unless they are later already: a
   * lease is never shortened, because a request may come late. Takes back {@linkplain
   * RenewRequest#permits() permits} if the request says so, and admits waiters with them. Answers
   * in the order of the requests, each independently. A grant that is not current or is over stays
   * as it is.
   */
  CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch);

  /**
   * Returns the state of this client's claims and grants, keeps its waiting claims alive, and ends
   * an expired grant. Answers in the order of the requests.
   */
  CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch);

  /** Returns a resource's holders, waiters and the permits in use. Changes nothing. */
  CompletionStage<Outcome<Inspection>> inspect(ResourceId resource);

  /**
   * Says the same of several resources, in their order, each at a moment of its own. A store that
   * can asks about all of them at once.
   */
  default CompletionStage<List<Outcome<Inspection>>> inspect(List<ResourceId> batch) {
    List<CompletableFuture<Outcome<Inspection>>> all =
        batch.stream().map(resource -> inspect(resource).toCompletableFuture()).toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  /**
   * Revokes the grants that the request {@linkplain ForceRequest#isAbout is about}, of any holder,
   * and admits the next claims. A holder other than the caller is notified by {@link
   * NotificationListener#revoked}. If the request is about no current grant, it changes nothing and
   * says so.
   */
  CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request);

  /**
   * Lists the ids of the resources in this client's namespace that somebody holds or waits for, as
   * far as they are asked for. They come in an order that is the store's own and always the same,
   * and if there are fewer than {@linkplain Listing#limit the limit}, no more follow. The list may
   * contain others too, and may or may not contain those that began or ended meanwhile. Changes
   * nothing.
   */
  CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing);

  /**
   * Lists the namespaces that have something at this store, in any order, for people who look into
   * the wrong one. What the account may not read may be left out.
   */
  CompletionStage<Outcome<List<String>>> namespaces();

  /**
   * Glances at the resources that {@link #resources} lists, in the same order, so that a caller who
   * has inspected them before inspects only what has changed. Answers empty if that would not cost
   * this store much less than inspecting them. Changes nothing.
   */
  default CompletionStage<Outcome<Optional<List<Glance>>>> glance(Listing<ResourceId> listing) {
    return CompletableFuture.completedFuture(Outcome.answered(Optional.empty()));
  }

  /**
   * Lists the ids of the cells in this client's namespace that are there, other than {@linkplain
   * CellKind#NOTES notes}, as {@link #resources} lists resources.
   */
  CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing);

  /**
   * Returns what is known of clients of this namespace, in any order, without those that are
   * unknown. A store knows a client from before its first claim until it closes; a client that
   * never closes, for as long as it may still hold something.
   *
   * @param ids the clients' ids
   */
  CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids);

  /**
   * Changes the number of permits of a semaphore, in one step, and admits the claims for which
   * there are now enough. Lowering it takes nothing from anybody: as long as more permits are out
   * than the limit, nobody is admitted. The store remembers the number of the request for {@link
   * ResizeRequest#rememberMillis()}; a repeated request with that number changes nothing and
   * answers the limit as it is then.
   */
  CompletionStage<Outcome<Resized>> resize(ResizeRequest request);

  /** Changes a cell, in one step. */
  CompletionStage<Outcome<CellUpdated>> update(CellUpdate update);

  /** Reads cells, and watches them if asked to. Answers in the order of the requests. */
  CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch);

  /** Frees connections and threads. No operation is called during or after this. */
  @Override
  void close();
}
