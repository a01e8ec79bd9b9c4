package io.lockkeeper.testkit.sim;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.spi.support.DelegatingStore;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.RecordPages;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * A store of records under simulation, below the real {@link RecordBasedStore}: each of its
 * requests leaves, is carried out and is answered at a moment of its own, and of many records only
 * a part is shown.
 */
public final class SimRecords implements SimProtocol {

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final BiFunction<String, TimeSource, RecordStore> records;
  private final boolean endsLateChanges;
  private final Map<String, RecordStore> clients = new HashMap<>();

  /** The view of a client that only polls; it has looked before if the store has no clock. */
  private final Store judge;

  /** The view of a client whose own clock stands still, so no grant is over for it. */
  private final Store witness;

  /**
   * Creates it.
   *
   * @param time measures intervals
   * @param records opens a client's way to the records, by the client's id and a clock that stands
   *     still while the client's machine is suspended; answers at once
   */
  public SimRecords(TimeSource time, BiFunction<String, TimeSource, RecordStore> records) {
    this(time, records, true);
  }

  /**
   * Creates it.
   *
   * @param endsLateChanges false if changes on any absence may be made late, against the contract
   */
  public SimRecords(
      TimeSource time,
      BiFunction<String, TimeSource, RecordStore> records,
      boolean endsLateChanges) {
    this.records = records;
    this.endsLateChanges = endsLateChanges;
    this.judge = observer("judge", time);
    this.witness = observer("witness", () -> 0);
  }

  private Store observer(String id, TimeSource time) {
    // Only the jitter of pauses is random, and an observer pauses for nothing.
    Environment environment = new Environment(time, Threads::scheduler, new Random(1));
    StoreContext context = new StoreContext(id, id, "lockkeeper", Timings.DEFAULT, environment);
    return new RecordBasedStore(records.apply(id, time), context, PATIENCE);
  }

  @Override
  public Store open(SimHost host, StoreContext context) {
    RecordStore direct = records.apply(context.clientId(), host::steadyNanos);
    clients.put(context.clientId(), direct);
    RecordStore pages = new RecordPages(direct, () -> pageLength(host.random()));
    Withdrawn withdrawn = new Withdrawn(context.clientId());
    SimRecordStore way =
        new SimRecordStore(
            host, pages, withdrawn::check, endsLateChanges && direct.makesOnAnyAbsence());
    Store store = new RecordBasedStore(way, context, PATIENCE);
    return new Withdrawing(store, withdrawn);
  }

  /** The claims of a client of which the store has answered that they are taken back. */
  private final class Withdrawn {

    private final String clientId;
    private final Map<ResourceId, Set<Long>> claims = new HashMap<>();

    Withdrawn(String clientId) {
      this.clientId = clientId;
    }

    /** Records an answer. A grant that other claims go on to hold may keep the number. */
    void add(ResourceId resource, long claim) {
      if (!isThere(resource, claim)) {
        claims.computeIfAbsent(resource, absent -> new HashSet<>()).add(claim);
      }
    }

    /** Checks that a change has brought none of them back. */
    void check() {
      claims.forEach(
          (resource, numbers) ->
              numbers.stream()
                  .filter(claim -> isThere(resource, claim))
                  .findFirst()
                  .ifPresent(
                      claim -> {
                        throw new SimViolation(
                            "claim "
                                + claim
                                + " of "
                                + clientId
                                + " was taken back and is in "
                                + resource);
                      }));
    }

    private boolean isThere(ResourceId resource, long claim) {
      Inspection found = answer(witness.inspect(resource));
      return found.holders().stream()
              .anyMatch(holder -> holder.clientId().equals(clientId) && holder.grant() == claim)
          || found.waiters().stream()
              .anyMatch(waiter -> waiter.clientId().equals(clientId) && waiter.claim() == claim);
    }
  }

  /** A client's store, which records the claims that are taken back. */
  private static final class Withdrawing extends DelegatingStore {

    private final Withdrawn withdrawn;

    Withdrawing(Store store, Withdrawn withdrawn) {
      super(store);
      this.withdrawn = withdrawn;
    }

    @Override
    public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
      return store
          .withdraw(resource, claim)
          .thenApply(
              outcome -> {
                if (outcome instanceof Outcome.Answered<WithdrawAnswer>) {
                  withdrawn.add(resource, claim);
                }
                return outcome;
              });
    }
  }

  /** Returns how many entries an answer shows: often fewer than there are, now and then all. */
  private static int pageLength(SplittableRandom random) {
    return random.nextInt(4) == 0 ? ReadRequest.ALL : random.nextInt(1, 4);
  }

  @Override
  public void crash(String clientId) {
    RecordStore gone = clients.get(clientId);
    if (gone != null) {
      gone.close();
    }
  }

  @Override
  public boolean isQuiet() {
    return answer(judge.resources(Listing.all())).stream()
        .map(id -> answer(judge.inspect(id)))
        .filter(inspection -> !inspection.isIdle())
        .findAny()
        .isEmpty();
  }

  private static <T> T answer(CompletionStage<Outcome<T>> stage) {
    Outcome<T> outcome = stage.toCompletableFuture().orTimeout(1, SECONDS).join();
    if (outcome instanceof Outcome.Answered<T> answered) {
      return answered.answer();
    }
    throw new SimViolation("no answer at rest: " + List.of(outcome));
  }
}
