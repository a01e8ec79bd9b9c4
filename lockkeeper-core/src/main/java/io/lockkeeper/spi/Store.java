package io.lockkeeper.spi;

import io.lockkeeper.ClientInfo;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A place that keeps, per resource, one fencing token, the grants, and a queue of claims; and
 * cells, each of which holds a value.
 *
 * <h2>The rule of the queue</h2>
 *
 * A claim is a client's request for a resource, known by a number that the client made. It is
 * granted at once if nothing is granted and no live claim waits; otherwise it waits in order of
 * arrival. Whenever the grant ends (released, withdrawn, forced, or expired and noticed by any
 * operation that passes), the first live claim is granted <i>in the same atomic step</i>, together
 * with the claims of the same client directly behind it that ask for the same lease, at most {@link
 * #MAX_RUN} in all: a <i>run</i>. A run has one grant, named by the number of its first claim, one
 * lease, and a block of tokens; the client serves its claims in their order.
 *
 * <p>This is the rule for locks. The other kinds of resources are below.
 *
 * <p>A waiting claim is live while its client's last {@link #claim} or {@link #look} on the
 * resource is younger than the heartbeat timeout, or, at a store that knows its clients by
 * sessions, while its client's session lasts. A claim that is granted out of the queue has only
 * {@link Timings#claimDeadlineMillis} at first: its client must {@link #renew} (or release) by
 * then.
 *
 * <h2>Resources that are shared</h2>
 *
 * Kinds other than locks ({@link ResourceKind}) have several grants side by side. Each is for one
 * claim, has that claim's number, {@linkplain Share#permits() permits}, one token and a lease of
 * its own, and is named by its owner and its number. How many permits there are is the resource's
 * <i>limit</i>; how many the grants have in all is what is <i>out</i>.
 *
 * <ul>
 *   <li><b>Order.</b> Whenever permits come free (a grant ended or shrank, a claim in front was
 *       withdrawn or died, the limit was raised), live claims are let in from the head of the
 *       queue, in the same step, as long as the permits that are left suffice for the next one. So
 *       a claim that wants many is not starved by those behind it that want few. A claim is granted
 *       at once if its permits are left and no live claim waits.
 *   <li><b>Overtaking.</b> A claim that {@linkplain Share#overtakes() overtakes} is let in, at once
 *       or out of the queue, as soon as its own permits are left, whoever waits before it.
 *   <li><b>Too much.</b> A claim that wants more than the limit holds nobody up: it waits, is
 *       passed over while that is so, and keeps its place for when the limit is raised.
 *   <li><b>Barriers.</b> A barrier's claims want one permit each, and what is out does not count:
 *       as soon as {@code limit} live claims wait (the one that is just being made included), the
 *       first {@code limit} are let in together. The one that completes the group is granted at
 *       once. All of their grants last for the full lease at once: they keep nobody out, and a
 *       member that could not be reached for a while must still find its own. A claim that was
 *       {@linkplain #withdraw taken back} there stays so: a copy of it that comes within {@link
 *       #WITHDRAWN_MILLIS} is answered {@link ClaimAnswer.Busy} and changes nothing.
 *   <li><b>Limit.</b> A resource out of use (nothing granted, nobody waiting) takes the limit of
 *       the next claim, which then counts, whatever others say, until it is out of use again. A
 *       limit set by {@link #resize} counts instead of that of any claim, and is kept for good,
 *       also while nobody uses the resource, until it is set again or given up.
 *   <li><b>Looks.</b> A look and a repeated claim ask about exactly the claim that they name, since
 *       one client may hold several grants of one resource.
 *   <li><b>Owners.</b> A release and a renewal may name another client's grant of a semaphore. A
 *       client whose grant was released by another hears {@link HintListener#revoked}.
 *   <li><b>Not here.</b> There are no runs, no further claim with a release, and nothing that says
 *       whether others wait: nothing of this kind is passed on inside a client. A claim asks for
 *       one token. Whoever is let in by a release, a withdrawal, a renewal or a change of the limit
 *       hears of it by a hint, also the one who called, each claim for itself.
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
 * A cell ({@link CellId}) holds a {@link CellValue} and has a version, which every change of it
 * makes larger: also over its end and its new beginning, and, as far as the store can do it, over
 * the store's own restart. A change that leaves the cell as it was leaves the version too. A cell
 * lives until it is deleted or its time to live is over, whatever becomes of the client that began
 * it.
 *
 * <p><b>Updates may be repeated.</b> A client gives each of its {@linkplain CellUpdate updates} a
 * number. The store remembers the last update of each client on each cell, with its results, for
 * {@link CellUpdate#rememberMillis()}; asked again with that number it changes nothing and answers
 * those results. An update with a smaller number than the last one is a straggler: it is refused
 * and changes nothing.
 *
 * <p><b>Watching.</b> A {@linkplain CellRead read} that asks for it makes its client a watcher of
 * the cell for the heartbeat time, or until the next change: an update that changes the cell tells
 * the other clients that watch it ({@link HintListener#cellChanged}) and forgets that they do, so
 * that a cell that changes often costs no more hints than its watchers read. Nobody is told when a
 * time to live is over. A read that does not ask for it ends the watching of its client.
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
 * what goes wrong is an {@link Outcome}. Every operation does complete: with {@link
 * Outcome.Unknown} when the store has not answered for its command timeout. The engine asks no
 * question again while it waits for the answer. Every operation may be repeated with the same
 * arguments without further effect (a repeated claim refreshes its own lease or its place's
 * liveness). All durations are measured on the store's own clock; a store that has none measures
 * them on the clocks of those who wait, from when they first see what they wait for, and so never
 * too short.
 *
 * <p>The results may complete on any thread; the engine does little there and never blocks.
 */
public interface Store extends AutoCloseable {

  /** The largest number of claims that one grant covers. */
  int MAX_RUN = 32;

  /** The largest number of changes in one update. */
  int MAX_CHANGES = 100;

  /**
   * For how long a barrier knows at least which claims were taken back. Elsewhere a late copy of a
   * claim only delays others until its client gives it back; here it would complete a group.
   */
  long WITHDRAWN_MILLIS = 60_000;

  /** Says what the engine has to know about this kind of store. */
  StoreTraits traits();

  /** Names the store for error messages: where it is, without any secret. */
  String describe();

  /**
   * Sets the listener for hints. Called once, before any other operation. A hint may come late,
   * twice or not at all; the store is the truth.
   */
  void listen(HintListener listener);

  /**
   * Asks for a resource. A claim already granted answers its grant again, with its lease renewed.
   */
  CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request);

  /**
   * Ends a grant and lets the next claim in; then, in the same step, puts {@link
   * ReleaseRequest#requeue()} into the queue (before the next is let in, if both are there). If the
   * named grant is not a current one ({@linkplain ReleaseRequest#isAbout its token} tells it from
   * an earlier one of a lock with the same number), or its lease is over, it changes nothing about
   * the grant and says so, but the requeued claim still counts.
   */
  CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request);

  /**
   * Takes back a claim: out of the queue, out of a run, or, if it is the last one in a run,
   * releases that grant. Unknown claims are fine: at a barrier, they are refused when they come.
   */
  CompletionStage<Outcome<Done>> withdraw(String resource, long claim);

  /**
   * Moves the ends of grants to {@code leaseMillis} from now, unless they are later already: a
   * lease is never shortened, because a request may come late. Takes {@linkplain
   * RenewRequest#permits() permits} back where that is asked for, and lets the next in with them.
   * Answers in the order of the requests, each on its own merits. A grant that is not a current one
   * or is over stays as it is.
   */
  CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch);

  /**
   * Says where this client stands with each resource, keeps its waiting claims alive, and notices
   * an expired grant. Answers in the order of the requests.
   */
  CompletionStage<List<Outcome<LookAnswer>>> look(List<LookRequest> batch);

  /** Says who holds a resource, who waits and what is out. Changes nothing. */
  CompletionStage<Outcome<Inspection>> inspect(String resource);

  /**
   * Ends the grants that are {@linkplain ForceRequest#isAbout meant}, whoever holds them, and lets
   * the next claims in. A holder other than the caller hears {@link HintListener#revoked}. If no
   * current grant is meant, it changes nothing about any and says so.
   */
  CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request);

  /**
   * Lists the ids of the resources in this client's namespace that somebody holds or waits for. It
   * may list others too, and what began or ended meanwhile may be missing or not. Changes nothing.
   */
  CompletionStage<Outcome<List<String>>> resources();

  /**
   * Says who clients of this namespace are, in any order; leaves those out that it does not know. A
   * store knows a client from before its first claim until it closes; one that never closes, for as
   * long as it may still hold something.
   *
   * @param ids the clients' ids
   */
  CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids);

  /**
   * Changes how many permits a semaphore has, in one step, and lets in those for whom they now
   * suffice. Lowering it takes nothing from anybody: as long as more is out than the limit, nobody
   * is let in. The store remembers the number of the request for {@link
   * ResizeRequest#rememberMillis()}; asked again with that number it changes nothing and answers
   * the limit as it is then.
   */
  CompletionStage<Outcome<Resized>> resize(ResizeRequest request);

  /** Changes a cell, in one step. */
  CompletionStage<Outcome<CellUpdated>> update(CellUpdate update);

  /** Says what cells hold, and watches them. Answers in the order of the requests. */
  CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch);

  /** Frees connections and threads. No operation is called after or during this. */
  @Override
  void close();
}
