package io.lockkeeper.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Txn;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.spi.support.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Records in etcd. A record's head is a key, and so is each of its entries; all of a record is
 * read, and changed, in one transaction. Its version is the revision at which its head was last
 * written.
 *
 * <p>Instead of a record that was deleted there is, for a minute or two, a note with the revision
 * of that. So a change that was decided on what was there before is in conflict. One that was
 * decided on an absence longer ago than the note lasts is in conflict too, as it cannot be known.
 */
final class EtcdRecordStore implements RecordStore {

  /**
   * How many changes one transaction has at most. etcd lets it have 128 operations, and each of
   * these as many less as stand above it.
   */
  private static final int MOST_CHANGES = 100;

  /** How many records are read together: these are four operations each. */
  private static final int MOST_READINGS = 32;

  /** How often a transaction is sent that was not carried out for the sake of its session. */
  private static final int MOST_SENDINGS = 3;

  private static final int LIST_PAGE = 1_000;

  private static final CompletableFuture<Long> NO_LEASE = CompletableFuture.completedFuture(0L);

  private final Client client;
  private final boolean ownsClient;
  private final KV etcd;
  private final EtcdKeys keys;
  private final EtcdTexts texts;
  private final EtcdOptions options;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final Deadlines deadlines;
  private final ByteSequence mark;
  private final RecentRevisions recent;
  private final EtcdSession session;
  private final MessageWatch messages;
  private final RecordClock clock;
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

  /**
   * Creates it.
   *
   * @param ownsClient whether the client is closed with this
   * @param clock the clock of this process, by which leases run, because etcd has none
   */
  EtcdRecordStore(
      Client client,
      boolean ownsClient,
      EtcdOptions options,
      StoreContext context,
      RecordClock clock) {
    this.client = client;
    this.ownsClient = ownsClient;
    this.etcd = client.getKVClient();
    this.keys = new EtcdKeys(options.prefix());
    this.options = options;
    this.clock = clock;
    this.time = context.environment().time();
    this.scheduler = context.environment().schedulers().get();
    this.deadlines = new Deadlines(options.timeout().toMillis(), scheduler);
    this.messages =
        new MessageWatch(client.getWatchClient(), keys.mail(context.clientId()), scheduler);
    this.mark = keys.mark(context.clientId());
    Duration tombstone = Duration.ofMillis(context.timings().tombstoneMillis());
    this.recent = new RecentRevisions(time, tombstone);
    this.session =
        new EtcdSession(
            client,
            mark,
            time,
            scheduler,
            deadlines,
            options.sessionTimeout(),
            tombstone,
            messages::reconnected);
    this.texts = new EtcdTexts(keys, context.clientId(), recent);
  }

  @Override
  public StoreTraits traits() {
    return StoreTraits.PLAIN;
  }

  @Override
  public RecordClock clock() {
    return clock;
  }

  @Override
  public boolean hasSessions() {
    return true;
  }

  /** One that is late is not made after a later change: that demands another mark. */
  @Override
  public boolean makesOnAnyAbsence() {
    return true;
  }

  @Override
  public String describe() {
    return options.describe();
  }

  @Override
  public void listen(Listener listener) {
    messages.listen(listener);
  }

  // ------------------------------------------------------------- reading

  @Override
  public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
    return inBatches(requests, MOST_READINGS, request -> false, this::readTogether);
  }

  private CompletableFuture<List<Outcome<Reading>>> readTogether(List<ReadRequest> requests) {
    Op[] questions = requests.stream().flatMap(texts::questions).toArray(Op[]::new);
    return transaction(etcd.txn().Then(questions))
        .thenApply(
            answer -> {
              var answers = answer.getGetResponses().iterator();
              long revision = answer.getHeader().getRevision();
              return requests.stream()
                  .map(request -> Outcome.answered(texts.reading(request, answers, revision)))
                  .toList();
            })
        .exceptionallyCompose(
            failure ->
                requests.size() > 1 && EtcdFailures.isTooLarge(failure)
                    ? inBatches(requests, 1, request -> true, this::readTogether)
                    : CompletableFuture.completedFuture(each(requests, options.outcome(failure))));
  }

  @Override
  public CompletionStage<Outcome<List<String>>> list(String prefix) {
    return list(prefix, keys.head(prefix), new ArrayList<>())
        .thenApply(Outcome::answered)
        .exceptionally(options::outcome);
  }

  private CompletableFuture<List<String>> list(
      String prefix, ByteSequence from, List<String> found) {
    GetOption page =
        GetOption.builder()
            .withRange(EtcdTexts.endOf(keys.head(prefix)))
            .withKeysOnly(true)
            .withLimit(LIST_PAGE)
            .build();
    return limited(() -> etcd.get(from, page))
        .thenCompose(
            answer -> {
              List<KeyValue> heads = answer.getKvs();
              heads.forEach(head -> found.add(keys.recordOf(head.getKey())));
              return answer.isMore()
                  ? list(prefix, EtcdTexts.after(heads.get(heads.size() - 1).getKey()), found)
                  : CompletableFuture.completedFuture(found);
            });
  }

  // ------------------------------------------------------------- writing

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    return inBatches(
        changes, MOST_CHANGES, EtcdTexts::isLarge, batch -> commitTogether(batch, MOST_SENDINGS));
  }

  private CompletableFuture<List<Outcome<CommitAnswer>>> commitTogether(
      List<Change> changes, int sendings) {
    CompletableFuture<Long> passing =
        changes.stream().anyMatch(EtcdTexts::isPassing) ? session.passing() : NO_LEASE;
    return session
        .mark()
        .thenCompose(
            demanded ->
                passing.thenCompose(lease -> transaction(changes, demanded, lease, sendings)))
        .exceptionally(failure -> each(changes, options.outcome(failure)));
  }

  private CompletableFuture<List<Outcome<CommitAnswer>>> transaction(
      List<Change> changes, EtcdSession.Mark demanded, long passing, int sendings) {
    Op[] steps =
        changes.stream()
            .map(change -> texts.transaction(change, passing, demanded.lease()))
            .toArray(Op[]::new);
    Cmp isMarked = EtcdTexts.isMarked(mark, demanded.revision());
    return transaction(etcd.txn().If(isMarked).Then(steps))
        .handle(Reply::new)
        .thenCompose(reply -> concluded(changes, demanded, reply, sendings));
  }

  /** The end of a transaction: an answer or a failure. */
  private record Reply(@Nullable TxnResponse answer, @Nullable Throwable failure) {}

  private CompletableFuture<List<Outcome<CommitAnswer>>> concluded(
      List<Change> changes, EtcdSession.Mark demanded, Reply reply, int sendings) {
    TxnResponse answer = reply.answer();
    Throwable failure = reply.failure();
    if (answer != null && answer.isSucceeded()) {
      return CompletableFuture.completedFuture(answers(changes, answer));
    }
    boolean isUndone = failure == null || EtcdFailures.isLeaseOver(failure);
    Outcome<CommitAnswer> outcome =
        failure == null
            ? Outcome.unknown(new IllegalStateException("the session has ended"))
            : options.outcome(failure);
    if (outcome instanceof Outcome.Unknown) {
      session.doubt(demanded);
    }
    if (isUndone && sendings > 1) {
      session.forgetPassing();
      return commitTogether(changes, sendings - 1);
    }
    return CompletableFuture.completedFuture(each(changes, outcome));
  }

  private List<Outcome<CommitAnswer>> answers(List<Change> changes, TxnResponse answer) {
    List<TxnResponse> answers = answer.getTxnResponses();
    long revision = answer.getHeader().getRevision();
    return IntStream.range(0, changes.size())
        .mapToObj(i -> Outcome.answered(texts.answer(changes.get(i), answers.get(i), revision)))
        .toList();
  }

  // ------------------------------------------------------------- requests

  private CompletableFuture<TxnResponse> transaction(Txn transaction) {
    long sent = time.nanos();
    return limited(transaction::commit)
        .thenApply(
            answer -> {
              recent.seen(answer.getHeader().getRevision(), sent);
              return answer;
            });
  }

  private <T> CompletableFuture<T> limited(Supplier<CompletableFuture<T>> request) {
    return limited(deadlines, request);
  }

  /** Sends a request; one that the driver refuses to send has failed too. */
  static <T> CompletableFuture<T> limited(
      Deadlines deadlines, Supplier<CompletableFuture<T>> request) {
    try {
      return deadlines.limit(request.get());
    } catch (Throwable refused) { // an error too: all transactions wait for the mark
      return CompletableFuture.failedFuture(refused);
    }
  }

  private static <Q, A> List<Outcome<A>> each(List<Q> requests, Outcome<A> outcome) {
    return requests.stream().map(request -> outcome).toList();
  }

  private interface Batch<Q, A> {
    CompletableFuture<List<Outcome<A>>> send(List<Q> requests);
  }

  /** Sends requests in order, so many together, and each that is large by itself. */
  private static <Q, A> CompletableFuture<List<Outcome<A>>> inBatches(
      List<Q> requests, int most, Predicate<Q> isLarge, Batch<Q, A> batch) {
    CompletableFuture<List<Outcome<A>>> all = CompletableFuture.completedFuture(List.of());
    int from = 0;
    while (from < requests.size()) {
      int to = from + 1;
      if (!isLarge.test(requests.get(from))) {
        while (to < requests.size() && to - from < most && !isLarge.test(requests.get(to))) {
          to++;
        }
      }
      all =
          all.thenCombine(
              batch.send(requests.subList(from, to)),
              (before, more) -> {
                List<Outcome<A>> joined = new ArrayList<>(before);
                joined.addAll(more);
                return joined;
              });
      from = to;
    }
    return all;
  }

  /** Completes when this has been closed, and its own client too. */
  CompletableFuture<Boolean> ended() {
    return ended;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // see ended
  public void close() {
    Answers.uninterrupted(
        () -> {
          messages.close();
          session
              .close()
              .whenComplete(
                  (done, failure) -> {
                    deadlines.close();
                    scheduler.close();
                    if (ownsClient) {
                      Answers.uninterrupted(client::close);
                    }
                    ended.complete(true);
                  });
        });
  }
}
