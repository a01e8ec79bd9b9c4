package io.lockkeeper.testkit.sim;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.RecordPages;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A store of records under simulation, below the real {@link RecordBasedStore}: each of its
 * requests leaves, is carried out and is answered at a moment of its own, and of many records only
 * a part is shown.
 */
public final class SimRecords implements SimProtocol {

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Function<String, RecordStore> records;
  private final Map<String, RecordStore> clients = new HashMap<>();

  /** The view of a client that only polls; it has looked before if the store has no clock. */
  private final Store judge;

  /**
   * Creates it.
   *
   * @param time measures intervals
   * @param records opens a client's way to the records, by the client's id; answers at once
   */
  public SimRecords(TimeSource time, Function<String, RecordStore> records) {
    Environment environment = new Environment(time, Threads::scheduler, new Random(1));
    StoreContext context =
        new StoreContext("judge", "judge", "lockkeeper", Timings.DEFAULT, environment);
    this.records = records;
    this.judge = new RecordBasedStore(records.apply("judge"), context, PATIENCE);
  }

  @Override
  public Store open(SimHost host, StoreContext context) {
    RecordStore direct = records.apply(context.clientId());
    clients.put(context.clientId(), direct);
    RecordStore pages = new RecordPages(direct, () -> pageLength(host.random()));
    return new RecordBasedStore(new SimRecordStore(host, pages), context, PATIENCE);
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
