package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The common part of the rules: clients of one store, and time. */
interface StoreRules {

  /** The lease of a claim unless a test says otherwise: long enough to outlast any test. */
  long LEASE_MILLIS = 60_000;

  /** A lease that a test only waits to be over. */
  long SHORT_MILLIS = Delays.millis(300).toMillis();

  /** A lease whose end a test waits for after it did something before that end. */
  long KEPT_MILLIS = Delays.millis(2_000).toMillis();

  /** How long a grant out of the queue lasts unconfirmed: shorter than the lease. */
  long CLAIM_DEADLINE_MILLIS = LEASE_MILLIS - 10_000;

  /** The time limits of the clients unless a test says otherwise: none is over in any test. */
  Timings LONG_LIMITS = new Timings(300_000, CLAIM_DEADLINE_MILLIS, 60_000);

  /** How long a waiting claim lives without a sign of its client, in a test of that. */
  long HEARTBEAT_MILLIS = Delays.millis(3_000).toMillis();

  /** For a test of clients that are silent: the heartbeat is {@code HEARTBEAT_MILLIS}. */
  Timings SHORT_HEARTBEAT = new Timings(HEARTBEAT_MILLIS, CLAIM_DEADLINE_MILLIS, 60_000);

  /** For a test of grants that are not confirmed: the claim deadline is {@code KEPT_MILLIS}. */
  Timings SHORT_CLAIM_DEADLINE = new Timings(300_000, KEPT_MILLIS, 60_000);

  /** So many claims that no store reads all of them to do one step. */
  int LONG_QUEUE = 3 * Store.MAX_BATCH;

  /**
   * How late what nobody holds is over for clients that have not followed it, where the store has
   * no clock.
   */
  long LATE_MILLIS = 2_000;

  /** Added to a length of time to be surely beyond it. */
  long MARGIN_MILLIS = Delays.millis(50).toMillis();

  /** A writer of a read-write lock. */
  Share WRITER = new Share(Share.ALL, Share.ALL, false);

  /** A reader that comes in turn. */
  Share READER = new Share(1, Share.ALL, false);

  /** A reader that is preferred to writers. */
  Share EAGER_READER = new Share(1, Share.ALL, true);

  /** Returns so many permits of three. */
  static Share ofThree(int permits) {
    return new Share(permits, 3, false);
  }

  /** Opens a client that asks about a semaphore. */
  default StoreClient pool() {
    return pool(LONG_LIMITS);
  }

  /** As {@code pool()}, with these time limits. */
  default StoreClient pool(Timings timings) {
    return client(timings).on(new ResourceId(ResourceKind.SEMAPHORE, "r"));
  }

  /** Opens a client that asks about a read-write lock. */
  default StoreClient readWrite() {
    return client().on(new ResourceId(ResourceKind.READ_WRITE_LOCK, "r"));
  }

  /** Opens a store for a new client; all clients of one test are in one namespace. */
  default StoreClient client() {
    return client(LONG_LIMITS);
  }

  /** As {@code client()}, with these time limits: those of a releaser apply to the next. */
  StoreClient client(Timings timings);

  /** Opens a client in another process, which has never read anything from the store. */
  StoreClient stranger();

  /** Makes a client die: nothing is heard of it any more. */
  void dies(StoreClient client);

  /**
   * Returns whether a client is taken for dead that lives but does not ask about what it waits for.
   * Where clients are known by sessions it is not.
   */
  boolean countsHeartbeats();

  /** Checks that a silent client lost its place, or that it was served where its session counts. */
  default void assertPassedAsSilent(StoreClient client, long claim) {
    if (countsHeartbeats()) {
      assertThat(client.inspect().holder()).isNull();
      client.lookGone(claim);
    } else {
      client.lookGranted(claim);
    }
  }

  /**
   * Checks the numbers of claims that are sent behind a release of all there is: they may be
   * written together with it, or with what makes the record anew.
   */
  default void assertArrivalsBehindARelease(StoreClient holder, StoreClient late, Share share) {
    Grant grant = holder.claim(1, share);
    List<CompletionStage<Outcome<ClaimAnswer>>> claims = new ArrayList<>();
    PollRequest poll = new PollRequest(holder.resource(), 1);
    var unused = holder.store().poll(List.of(poll)); // the others wait for its end
    CompletionStage<Outcome<ReleaseAnswer>> release =
        holder.store().release(StoreProbe.releaseRequest(holder.resource(), grant));
    for (long claim = 2; claim <= 4; claim++) {
      claims.add(holder.store().claim(holder.request(claim, share)));
    }
    StoreProbe.answer(StoreProbe.get(release));

    List<Long> first = arrivals(claims.stream().map(StoreProbe::get).map(StoreProbe::answer));
    Queued behind = late.queue(1, share);
    List<Long> kept =
        arrivals(
            LongStream.rangeClosed(2, 4)
                .mapToObj(claim -> holder.ask(holder.request(claim, share))));
    assertThat(first).containsAll(kept).allMatch(arrival -> arrival < behind.arrival());
  }

  /** Checks the number of a claim that a release may admit in the step that puts it. */
  default void assertArrivalWithARelease(StoreClient holder, Share all, Share each) {
    Grant grant = holder.claim(1, all);
    Queued ahead = holder.queue(2, each);
    PollRequest poll = new PollRequest(holder.resource(), 1);
    var unused = holder.store().poll(List.of(poll)); // the others wait for its end
    CompletionStage<Outcome<ClaimAnswer>> claim = holder.store().claim(holder.request(3, each));
    holder.release(grant);

    assertThat(arrivals(Stream.of(StoreProbe.answer(StoreProbe.get(claim)))))
        .allMatch(arrival -> arrival > ahead.arrival());
  }

  private static List<Long> arrivals(Stream<ClaimAnswer> answers) {
    return answers
        .filter(Queued.class::isInstance)
        .map(answer -> ((Queued) answer).arrival())
        .toList();
  }

  /** Lets time pass for the store. */
  void pass(Duration time);

  /** As {@code pass}, in milliseconds, and a margin more. */
  default void passBeyond(long millis) {
    pass(Duration.ofMillis(millis + MARGIN_MILLIS));
  }
}
