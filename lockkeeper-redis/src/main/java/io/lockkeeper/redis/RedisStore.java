package io.lockkeeper.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.HintListener;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store on Redis: every operation is one script, run by the server as one step.
 *
 * <p>The rules of the queue are in the scripts; this class writes requests and reads answers. A
 * call without an answer in time is in doubt, and so is one whose connection broke; the connection
 * that brought no answer is then closed, because it may be half open.
 */
final class RedisStore implements Store {

  private static final byte[] QUEUE = ":q".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] WAITING = ":w".getBytes(StandardCharsets.US_ASCII);
  private static final int KEYS_PER_RESOURCE = 3;

  private final Link link;
  private final Pushes pushes;
  private final Keyspace keyspace;
  private final byte[] clientId;
  private final CellCalls cells;
  private final Limits limits;
  private final long timeoutNanos;
  private final Replication replication;
  private final Deadlines deadlines;
  private final Call.Listener listener = new Replies();

  RedisStore(
      StoreContext context,
      Link link,
      Pushes pushes,
      Duration timeout,
      Replication replication,
      AfterLoss afterLoss) {
    this.link = link;
    this.pushes = pushes;
    this.keyspace = new Keyspace(context.namespace());
    this.clientId = context.clientId().getBytes(StandardCharsets.US_ASCII);
    this.cells = new CellCalls(keyspace, context.clientId(), context.timings());
    this.limits = new Limits(context.timings(), afterLoss);
    this.timeoutNanos = timeout.toNanos();
    this.replication = replication;
    this.deadlines = new Deadlines(link.timer(), timeoutNanos, this::timedOut);
  }

  @Override
  public StoreTraits traits() {
    return new StoreTraits(replication.isNeeded());
  }

  @Override
  public String describe() {
    return link.describe();
  }

  @Override
  public void listen(HintListener hints) {
    pushes.listen(hints);
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    limits.asksFor(request.leaseMillis());
    @Nullable CompletableFuture<Long> acknowledged = acknowledgement();
    CompletableFuture<Outcome<ClaimAnswer>> claimed =
        one(
            Script.CLAIM,
            request.resource(),
            arguments ->
                arguments
                    .add(request.claim())
                    .add(request.leaseMillis())
                    .add(request.tokens())
                    .add(request.queue() ? 1 : 0),
            reply -> Answers.claim(reply, request.claim(), request.leaseMillis(), request.tokens()),
            acknowledged);
    return acknowledged == null
        ? claimed
        : claimed.thenCompose(outcome -> confirmed(request, outcome, acknowledged));
  }

  private @Nullable CompletableFuture<Long> acknowledgement() {
    return replication.isNeeded() ? new CompletableFuture<>() : null;
  }

  /** Takes a grant back that too few replicas have. */
  private CompletionStage<Outcome<ClaimAnswer>> confirmed(
      ClaimRequest request, Outcome<ClaimAnswer> outcome, CompletableFuture<Long> acknowledged) {
    boolean isGranted =
        outcome instanceof Outcome.Answered<ClaimAnswer> answered
            && answered.answer() instanceof ClaimAnswer.Granted;
    if (!isGranted) {
      return CompletableFuture.completedFuture(outcome);
    }
    return acknowledged.thenCompose(
        replicas -> {
          if (replicas >= replication.replicas()) {
            return CompletableFuture.completedFuture(outcome);
          }
          return withdraw(request.resource(), request.claim())
              .thenApply(undone -> notReplicated(undone, replicas));
        });
  }

  private Outcome<ClaimAnswer> notReplicated(Outcome<Done> undone, long replicas) {
    String message =
        replicas + " of " + replication.replicas() + " replicas confirmed the grant in time";
    return undone instanceof Outcome.Unknown<Done> unknown
        ? Outcome.unknown(new RedisException(message, unknown.cause()))
        : Outcome.refused(StoreProblem.NOT_REPLICATED, message + "; it was taken back");
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return one(
        Script.RELEASE,
        request.resource(),
        arguments -> {
          arguments.add(request.grant()).add(request.usedToken());
          ClaimRequest requeue = request.requeue();
          if (requeue == null) {
            arguments.add("");
          } else {
            arguments.add(requeue.claim()).add(requeue.leaseMillis()).add(requeue.tokens());
          }
        },
        Answers::release,
        null);
  }

  @Override
  public CompletionStage<Outcome<Done>> withdraw(String resource, long claim) {
    return one(
        Script.WITHDRAW, resource, arguments -> arguments.add(claim), Answers::withdraw, null);
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(String resource) {
    return one(Script.INSPECT, resource, arguments -> {}, Answers::inspect, null);
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(String resource) {
    return one(Script.FORCE, resource, arguments -> {}, Answers::force, null);
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    batch.forEach(request -> limits.asksFor(request.leaseMillis()));
    return many(
        Script.RENEW,
        batch,
        RenewRequest::resource,
        (arguments, request) -> arguments.add(request.grant()).add(request.leaseMillis()),
        Answers::renew,
        replication.isNeeded());
  }

  @Override
  public CompletionStage<List<Outcome<LookAnswer>>> look(List<LookRequest> batch) {
    return many(
        Script.LOOK,
        batch,
        LookRequest::resource,
        (arguments, request) -> arguments.add(request.claim()),
        Answers::look,
        false);
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    byte[] key = cells.key(update.cell());
    @Nullable CompletableFuture<Long> acknowledged = acknowledgement();
    CompletableFuture<Outcome<CellUpdated>> updated =
        call(
            Script.CELL_UPDATE,
            key,
            cells.update(key, update),
            CellCalls.updated(key),
            acknowledged);
    return acknowledged == null
        ? updated
        : updated.thenCombine(
            acknowledged,
            (outcome, replicas) ->
                replicas >= replication.replicas() ? outcome : doubted(outcome, replicas));
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    List<byte[]> keys = batch.stream().map(read -> cells.key(read.cell())).toList();
    List<CompletableFuture<List<Outcome<CellState>>>> calls = new ArrayList<>();
    List<int[]> groups = link.groups(keys);
    for (int[] group : groups) {
      Request request = cells.read(keys, batch, group);
      Call.Reading<List<Outcome<CellState>>> reading = each(group, keys, CellCalls::state);
      calls.add(call(Script.CELL_READ, keys.get(group[0]), request, reading, null));
    }
    return calls.size() == 1 ? calls.get(0) : inOrder(batch.size(), groups, calls);
  }

  @Override
  public void close() {
    deadlines.close();
    link.close();
  }

  /** Calls a script on one resource. */
  private <T> CompletableFuture<Outcome<T>> one(
      Script script,
      String resource,
      Consumer<Request> ownArguments,
      Function<Reply, T> answer,
      @Nullable CompletableFuture<Long> acknowledged) {
    byte[] key = keyspace.record(resource);
    Request arguments = new Request().add(KEYS_PER_RESOURCE);
    addKeys(arguments, key);
    arguments.add(clientId).add(limits.current());
    ownArguments.accept(arguments);
    return call(
        script,
        key,
        arguments,
        new Call.Reading<Outcome<T>>() {
          @Override
          public Outcome<T> of(Reply reply) {
            return outcome(reply, key, answer);
          }

          @Override
          public Outcome<T> of(Failure failure) {
            return failure.toOutcome();
          }
        },
        acknowledged);
  }

  /** Calls a script on many resources, as few times as the servers allow. */
  private <Q, T> CompletionStage<List<Outcome<T>>> many(
      Script script,
      List<Q> batch,
      Function<Q, String> resource,
      BiConsumer<Request, Q> ownArguments,
      Function<Reply, T> answer,
      boolean toConfirm) {
    List<byte[]> keys = batch.stream().map(resource).map(keyspace::record).toList();
    List<CompletableFuture<List<Outcome<T>>>> calls = new ArrayList<>();
    List<int[]> groups = link.groups(keys);
    for (int[] group : groups) {
      Request arguments = new Request().add((long) KEYS_PER_RESOURCE * group.length);
      for (int i : group) {
        addKeys(arguments, keys.get(i));
      }
      arguments.add(clientId).add(limits.current());
      for (int i : group) {
        ownArguments.accept(arguments, batch.get(i));
      }
      @Nullable CompletableFuture<Long> acknowledged = toConfirm ? new CompletableFuture<>() : null;
      CompletableFuture<List<Outcome<T>>> call =
          call(script, keys.get(group[0]), arguments, each(group, keys, answer), acknowledged);
      calls.add(acknowledged == null ? call : confirmed(call, acknowledged));
    }
    return calls.size() == 1 ? calls.get(0) : inOrder(batch.size(), groups, calls);
  }

  /** Doubts answers that too few replicas have. */
  private <T> CompletableFuture<List<Outcome<T>>> confirmed(
      CompletableFuture<List<Outcome<T>>> call, CompletableFuture<Long> acknowledged) {
    return call.thenCombine(
        acknowledged,
        (outcomes, replicas) ->
            replicas >= replication.replicas()
                ? outcomes
                : outcomes.stream().map(outcome -> doubted(outcome, replicas)).toList());
  }

  private <T> Outcome<T> doubted(Outcome<T> outcome, long replicas) {
    return outcome instanceof Outcome.Answered<T>
        ? Outcome.unknown(
            new RedisException(replicas + " of " + replication.replicas() + " replicas have it"))
        : outcome;
  }

  private static <T> Call.Reading<List<Outcome<T>>> each(
      int[] group, List<byte[]> keys, Function<Reply, T> answer) {
    return new Call.Reading<>() {
      @Override
      public List<Outcome<T>> of(Reply reply) {
        return Arrays.stream(group).mapToObj(i -> outcome(reply, keys.get(i), answer)).toList();
      }

      @Override
      public List<Outcome<T>> of(Failure failure) {
        return Arrays.stream(group).mapToObj(i -> failure.<T>toOutcome()).toList();
      }
    };
  }

  private static <T> CompletionStage<List<Outcome<T>>> inOrder(
      int size, List<int[]> groups, List<CompletableFuture<List<Outcome<T>>>> calls) {
    return CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all -> {
              List<Outcome<T>> outcomes =
                  new ArrayList<>(
                      java.util.Collections.nCopies(
                          size, Outcome.<T>unknown(new IllegalStateException("no answer"))));
              for (int g = 0; g < groups.size(); g++) {
                List<Outcome<T>> answers = calls.get(g).join();
                for (int i = 0; i < answers.size(); i++) {
                  outcomes.set(groups.get(g)[i], answers.get(i));
                }
              }
              return List.copyOf(outcomes);
            });
  }

  private static <T> Outcome<T> outcome(Reply reply, byte[] key, Function<Reply, T> answer) {
    try {
      return Outcome.answered(answer.apply(reply));
    } catch (Answers.ForeignRecordException foreign) {
      return Failure.foreign(new String(key, StandardCharsets.UTF_8)).toOutcome();
    }
  }

  private static void addKeys(Request arguments, byte[] key) {
    arguments.add(key).add(key, QUEUE).add(key, WAITING);
  }

  private <R> CompletableFuture<R> call(
      Script script,
      byte[] key,
      Request arguments,
      Call.Reading<R> reading,
      @Nullable CompletableFuture<Long> acknowledged) {
    CompletableFuture<R> result = new CompletableFuture<>();
    long deadlineNanos = System.nanoTime() + timeoutNanos;
    send(
        new Call<>(
            script, false, key, arguments, reading, result, acknowledged, deadlineNanos, listener));
    return result;
  }

  private void send(Call<?> call) {
    deadlines.add(call);
    call.sending();
    try {
      link.send(call);
    } catch (RuntimeException e) {
      call.fail(new Failure.Doubt(e));
    }
  }

  private void timedOut(List<Call<?>> calls) {
    calls.forEach(
        call ->
            call.fail(new Failure.Doubt(new RedisCommandTimeoutException("no answer in time"))));
    link.reconnect(calls);
  }

  /** What becomes of replies. Runs on the driver's threads. */
  private final class Replies implements Call.Listener {

    @Override
    public void replied(Call<?> call) {
      String error = call.error();
      if (error == null) {
        answer(call);
      } else if (Failure.isScriptMissing(error)) {
        // It was not run, so it can be sent again.
        link.loadScripts(call);
        send(call.again());
        return;
      } else {
        call.fail(Failure.ofError(error, call.keyText(), link.followsMoves()));
        if (Failure.isReadOnly(error)) {
          link.reconnect(List.of(call));
        }
      }
      deadlines.forgetDone();
    }

    @Override
    public void broken(Call<?> call, Throwable cause) {
      call.fail(new Failure.Doubt(cause));
      deadlines.forgetDone();
    }

    private <R> void answer(Call<R> call) {
      R result;
      try {
        result = call.reading.of(call.getOutput().get());
      } catch (RuntimeException e) {
        call.fail(new Failure.Doubt(new RedisException("unreadable answer", e)));
        return;
      }
      call.result.complete(result);
    }
  }
}
