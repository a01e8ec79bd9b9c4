package io.lockkeeper.dynamodb;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.spi.support.Deadlines;
import io.lockkeeper.spi.support.RecentlyUsed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Records in a table of DynamoDB, each in one item, which is written as a whole and on the
 * condition that it has not changed. Nothing is ever sent twice: that a write that is repeated
 * finds its own first attempt would look like another client's change.
 *
 * <p>A record that is deleted leaves a tombstone, which has a version, for a day. Where there is no
 * item at all, the version is the time of the server: it is larger than that of any tombstone that
 * has gone. A decision about an absence is not sent when the absence is an hour old.
 */
final class DynamoDbRecordStore implements RecordStore {

  /** How long a tombstone stays at least. */
  private static final Duration TOMBSTONE = Duration.ofDays(1);

  /** How old the absence may be on which a record is made. Much less than {@link #TOMBSTONE}. */
  private static final Duration RECENT = Duration.ofHours(1);

  /** Of how many records is remembered what they were. */
  private static final int MOST_KNOWN = 1_000;

  private final DynamoDbAsyncClient client;
  private final Runnable end;
  private final String table;
  private final String where;
  private final RecordClock clock;
  private final Scheduler scheduler;
  private final Deadlines deadlines;
  private final ServerTime serverTime;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final RecentlyUsed<String, Reading> known = new RecentlyUsed<>(MOST_KNOWN);

  /**
   * Creates it.
   *
   * @param where what {@link #describe} says
   * @param timeout of a request
   * @param clock the clock of this process, by which leases run
   */
  DynamoDbRecordStore(
      DynamoDbStores.Connection connection,
      String table,
      String where,
      Duration timeout,
      StoreContext context,
      RecordClock clock) {
    this.client = connection.client();
    this.end = connection.end();
    this.table = table;
    this.where = where;
    this.scheduler = context.environment().schedulers().get();
    this.deadlines = new Deadlines(timeout.toMillis(), scheduler);
    this.serverTime = new ServerTime(context.environment().time());
    this.clock = clock.withCalendar(serverTime::nanos);
  }

  @Override
  public StoreTraits traits() {
    return new StoreTraits(false, false);
  }

  @Override
  public String describe() {
    return where;
  }

  @Override
  public RecordClock clock() {
    return clock;
  }

  @Override
  public void listen(Listener listener) {
    // Nothing comes by itself.
  }

  // ------------------------------------------------------------- reading

  @Override
  public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
    return each(requests, request -> read(request.key()));
  }

  private CompletableFuture<Reading> read(String key) {
    return limited(() -> sendRead(key)).thenApply(answer -> reading(key, answer));
  }

  /**
   * Reads something, to see whether the table answers. The limit of requests does not count,
   * because the driver loads its classes and connects.
   */
  CompletionStage<Outcome<Reading>> greet() {
    String key = "hello";
    return outcome(
        Answers.uninterrupted(() -> sendRead(key)).thenApply(answer -> reading(key, answer)));
  }

  private CompletableFuture<GetItemResponse> sendRead(String key) {
    return client.getItem(
        GetItemRequest.builder().tableName(table).key(Items.key(key)).consistentRead(true).build());
  }

  private Reading reading(String key, GetItemResponse answer) {
    long absence = serverTime.absence(answer.sdkHttpResponse());
    return known.put(
        key, answer.hasItem() ? Items.reading(answer.item()) : Reading.absent(absence));
  }

  @Override
  public CompletionStage<Outcome<List<String>>> list(String prefix) {
    return outcome(list(prefix, Map.of(), new ArrayList<>()));
  }

  private CompletableFuture<List<String>> list(
      String prefix, Map<String, AttributeValue> after, List<String> found) {
    ScanRequest.Builder page =
        ScanRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .projectionExpression(Items.KEY)
            .filterExpression(
                "begins_with(" + Items.KEY + ", :prefix) AND attribute_exists(" + Items.HEAD + ")")
            .expressionAttributeValues(Map.of(":prefix", Items.text(prefix)));
    if (!after.isEmpty()) {
      page.exclusiveStartKey(after);
    }
    return limited(() -> client.scan(page.build()))
        .thenCompose(
            answer -> {
              answer.items().forEach(item -> found.add(Items.attribute(item, Items.KEY).s()));
              return answer.hasLastEvaluatedKey()
                  ? list(prefix, answer.lastEvaluatedKey(), found)
                  : CompletableFuture.completedFuture(found);
            });
  }

  // ------------------------------------------------------------- writing

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    return each(changes, this::commit);
  }

  private CompletableFuture<CommitAnswer> commit(Change change) {
    if (!Items.isThere(change.expected())) {
      return put(change, Reading.absent(change.expected()));
    }
    Reading before = known.get(change.key());
    if (before != null && before.version() == change.expected()) {
      return put(change, before);
    }
    return read(change.key())
        .thenCompose(
            found ->
                found.version() == change.expected()
                    ? put(change, found)
                    : CompletableFuture.completedFuture(new CommitAnswer.Conflict(found)));
  }

  /** Writes what is there after a change of what is known to have been there before. */
  private CompletableFuture<CommitAnswer> put(Change change, Reading before) {
    Reading after = before.after(change, Items.versionAfter(change));
    boolean isRecentAbsence =
        before.head() == null && serverTime.secondsSince(change.expected()) < RECENT.toSeconds();
    long endOfTombstone = serverTime.seconds() + TOMBSTONE.toSeconds();
    return limited(
            () -> client.putItem(Items.put(table, change, after, isRecentAbsence, endOfTombstone)))
        .<CommitAnswer>thenApply(
            answer -> {
              serverTime.absence(answer.sdkHttpResponse());
              known.put(change.key(), after);
              return new CommitAnswer.Committed(after.version());
            })
        .exceptionallyCompose(failure -> conflict(change, failure));
  }

  private CompletableFuture<CommitAnswer> conflict(Change change, Throwable failure) {
    if (!(Answers.cause(failure) instanceof ConditionalCheckFailedException conflict)) {
      return CompletableFuture.failedFuture(failure);
    }
    if (!conflict.hasItem()) {
      return CompletableFuture.completedFuture(new CommitAnswer.Conflict(null));
    }
    Reading found = known.put(change.key(), Items.reading(conflict.item()));
    return CompletableFuture.completedFuture(new CommitAnswer.Conflict(found));
  }

  // ------------------------------------------------------------- requests

  /**
   * Sends a request; one that the driver refuses to send has failed too. The driver would send none
   * for a thread that is interrupted, so the interrupt is put aside meanwhile.
   */
  private <T> CompletableFuture<T> limited(Supplier<CompletableFuture<T>> request) {
    try {
      return deadlines.limit(Answers.uninterrupted(request));
    } catch (Throwable refused) { // an error too: the others of the list are asked
      return CompletableFuture.failedFuture(refused);
    }
  }

  private <T> CompletableFuture<Outcome<T>> outcome(CompletableFuture<T> answer) {
    return answer
        .thenApply(Outcome::answered)
        .exceptionally(failure -> DynamoDbFailures.outcome(failure, table));
  }

  /** Sends all requests at once, and returns the outcomes in their order. */
  private <Q, A> CompletableFuture<List<Outcome<A>>> each(
      List<Q> requests, Function<Q, CompletableFuture<A>> request) {
    List<CompletableFuture<Outcome<A>>> answers =
        requests.stream().map(each -> outcome(request.apply(each))).toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
  }

  /** Not on the calling thread, which may be the driver's, whose client waits for that to end. */
  @Override
  public void close() {
    if (isClosed.getAndSet(true)) {
      return;
    }
    deadlines.close();
    scheduler.schedule(
        () -> {
          end.run();
          scheduler.close();
        },
        0);
  }
}
