package io.lockkeeper.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls of scripts, from the operation's arguments to its outcome.
 *
 * <p>A call without an answer in time is in doubt, and so is one whose connection broke; the
 * connection that brought no answer is then closed, because it may be half open.
 *
 * <p>This file is long because all ways to call a script are here, and nowhere else.
 */
final class ScriptCalls {

  private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

  private final Link link;
  private final Keyspace keyspace;
  private final byte[] clientId;
  private final Limits limits;
  private final TimeSource time;
  private final long timeoutNanos;
  private final Replication replication;
  private final Deadlines deadlines;

  /** Says why a server refuses the next connection; null if none does, or it is not known. */
  private final Supplier<Failure.@Nullable Refusal> refusals;

  /** Whether the log has it that connections are refused. */
  private final AtomicBoolean isRefusalTold = new AtomicBoolean();

  private final Call.Listener listener = new Replies();

  ScriptCalls(
      StoreContext context,
      Link link,
      Limits limits,
      Duration timeout,
      Replication replication,
      Supplier<Failure.@Nullable Refusal> refusals) {
    this.link = link;
    this.refusals = refusals;
    this.keyspace = new Keyspace(context.namespace());
    this.clientId = context.clientId().getBytes(StandardCharsets.US_ASCII);
    this.limits = limits;
    this.time = context.environment().time();
    this.timeoutNanos = timeout.toNanos();
    this.replication = replication;
    this.deadlines = new Deadlines(link.timer(), time, timeoutNanos, this::timedOut);
  }

  void close() {
    deadlines.close();
  }

  /** Calls a script on one resource. */
  <T> CompletableFuture<Outcome<T>> one(
      Script script,
      ResourceId resource,
      Consumer<Request> ownArguments,
      Function<Reply, T> answer,
      @Nullable CompletableFuture<Long> acknowledged) {
    byte[] key = keyspace.record(resource);
    return call(
        script,
        key,
        arguments(script.keySuffixes(resource.kind()), key, ownArguments),
        fewerKeys(resource.kind(), keys -> arguments(keys, key, ownArguments)),
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

  /**
   * Calls a script on a resource, and doubts its answer if replicas are wanted and too few have it.
   */
  <T> CompletableFuture<Outcome<T>> confirmed(
      Script script,
      ResourceId resource,
      Consumer<Request> ownArguments,
      Function<Reply, T> answer) {
    return confirmed(acknowledged -> one(script, resource, ownArguments, answer, acknowledged));
  }

  private Request arguments(List<byte[]> suffixes, byte[] key, Consumer<Request> ownArguments) {
    Request request = new Request().add(suffixes.size());
    suffixes.forEach(suffix -> request.add(key, suffix));
    request.add(clientId).add(limits);
    ownArguments.accept(request);
    return request;
  }

  /** Calls a script on many resources, as few times as the servers allow. */
  <Q, T> CompletableFuture<List<Outcome<T>>> many(
      Script script,
      List<Q> batch,
      Function<Q, ResourceId> resource,
      BiConsumer<Request, Q> ownArguments,
      BiFunction<Reply, Q, T> answer,
      boolean toConfirm) {
    List<byte[]> keys = batch.stream().map(resource).map(keyspace::record).toList();
    return grouped(
        script,
        keys,
        group -> {
          Request all = new Request();
          int count = 0;
          for (int i : group) {
            count += script.keySuffixes(resource.apply(batch.get(i)).kind()).size();
          }
          all.add(count);
          for (int i : group) {
            script
                .keySuffixes(resource.apply(batch.get(i)).kind())
                .forEach(suffix -> all.add(keys.get(i), suffix));
          }
          all.add(clientId).add(limits);
          for (int i : group) {
            ownArguments.accept(all, batch.get(i));
          }
          return all;
        },
        i ->
            fewerKeys(
                resource.apply(batch.get(i)).kind(),
                suffixes ->
                    arguments(
                        suffixes, keys.get(i), own -> ownArguments.accept(own, batch.get(i)))),
        (reply, i) -> answer.apply(reply, batch.get(i)),
        toConfirm);
  }

  /**
   * Calls a script on many keys.
   *
   * @param arguments makes the arguments for a group of them
   */
  <T> CompletableFuture<List<Outcome<T>>> grouped(
      Script script,
      List<byte[]> keys,
      Function<int[], Request> arguments,
      BiFunction<Reply, Integer, T> answer,
      boolean toConfirm) {
    return grouped(script, keys, arguments, i -> List.of(), answer, toConfirm);
  }

  private <T> CompletableFuture<List<Outcome<T>>> grouped(
      Script script,
      List<byte[]> keys,
      Function<int[], Request> arguments,
      IntFunction<List<Supplier<Request>>> fewerKeys,
      BiFunction<Reply, Integer, T> answer,
      boolean toConfirm) {
    List<CompletableFuture<List<Outcome<T>>>> calls = new ArrayList<>();
    List<int[]> groups = link.groups(keys);
    for (int[] group : groups) {
      calls.add(group(script, keys, group, arguments, fewerKeys, answer, toConfirm));
    }
    return calls.size() == 1 ? calls.get(0) : inOrder(keys.size(), groups, calls);
  }

  /**
   * Calls a script on keys of one server. If what a key holds makes the script fail, which is then
   * not known of any of them in particular, or if not all are on that server, it is called on each
   * by itself.
   */
  private <T> CompletableFuture<List<Outcome<T>>> group(
      Script script,
      List<byte[]> keys,
      int[] group,
      Function<int[], Request> arguments,
      IntFunction<List<Supplier<Request>>> fewerKeys,
      BiFunction<Reply, Integer, T> answer,
      boolean toConfirm) {
    @Nullable CompletableFuture<Long> acknowledged = toConfirm ? new CompletableFuture<>() : null;
    AtomicBoolean isMixed = new AtomicBoolean();
    CompletableFuture<List<Outcome<T>>> call =
        call(
            script,
            keys.get(group[0]),
            arguments.apply(group),
            group.length > 1 ? List.of() : fewerKeys.apply(group[0]),
            each(group, keys, answer, isMixed),
            acknowledged);
    CompletableFuture<List<Outcome<T>>> whole =
        acknowledged == null ? call : confirmed(call, acknowledged);
    if (group.length == 1) {
      return whole;
    }
    return whole.thenCompose(
        outcomes -> {
          if (!isMixed.get()) {
            return CompletableFuture.completedFuture(outcomes);
          }
          List<CompletableFuture<List<Outcome<T>>>> single =
              Arrays.stream(group)
                  .mapToObj(
                      i ->
                          group(
                              script, keys, new int[] {i}, arguments, fewerKeys, answer, toConfirm))
                  .toList();
          return CompletableFuture.allOf(single.toArray(CompletableFuture<?>[]::new))
              .thenApply(all -> single.stream().map(one -> one.join().get(0)).toList());
        });
  }

  private static List<Supplier<Request>> fewerKeys(
      ResourceKind kind, Function<List<byte[]>, Request> arguments) {
    return Script.fewerSuffixes(kind).stream()
        .<Supplier<Request>>map(suffixes -> () -> arguments.apply(suffixes))
        .toList();
  }

  /** Calls a script, and doubts its answer if replicas are wanted and too few have it. */
  <T> CompletableFuture<Outcome<T>> confirmed(
      Script script, byte[] key, Request arguments, Call.Reading<Outcome<T>> reading) {
    return confirmed(
        acknowledged -> call(script, key, arguments, List.of(), reading, acknowledged));
  }

  private <T> CompletableFuture<Outcome<T>> confirmed(
      Function<@Nullable CompletableFuture<Long>, CompletableFuture<Outcome<T>>> asking) {
    if (!replication.isNeeded()) {
      return asking.apply(null);
    }
    CompletableFuture<Long> acknowledged = new CompletableFuture<>();
    return asking
        .apply(acknowledged)
        .thenCombine(
            acknowledged,
            (outcome, replicas) ->
                replicas >= replication.replicas() ? outcome : doubted(outcome, replicas));
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
      int[] group, List<byte[]> keys, BiFunction<Reply, Integer, T> answer, AtomicBoolean isMixed) {
    return new Call.Reading<>() {
      @Override
      public List<Outcome<T>> of(Reply reply) {
        return Arrays.stream(group)
            .mapToObj(i -> outcome(reply, keys.get(i), read -> answer.apply(read, i)))
            .toList();
      }

      @Override
      public List<Outcome<T>> of(Failure failure) {
        isMixed.set(failure.isOfOneKey());
        return Arrays.stream(group).mapToObj(i -> failure.<T>toOutcome()).toList();
      }
    };
  }

  /** Puts the answers to the groups of a batch into the order of the batch. */
  static <T> CompletableFuture<List<Outcome<T>>> inOrder(
      int size, List<int[]> groups, List<CompletableFuture<List<Outcome<T>>>> calls) {
    return CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all -> {
              List<Outcome<T>> outcomes =
                  new ArrayList<>(
                      Collections.nCopies(
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
    } catch (ReplyDecoder.ForeignRecordException foreign) {
      return Failure.foreign(new String(key, StandardCharsets.UTF_8)).toOutcome();
    }
  }

  /** Sends commands that read, without a script, and returns their answers. */
  CompletableFuture<Outcome<List<Reply>>> read(List<Request> requests) {
    Reads reads = new Reads(requests, time.nanos() + timeoutNanos, this::whyNotWritten);
    deadlines.add(reads);
    try {
      link.send(reads);
    } catch (RuntimeException e) {
      reads.fail(whyNotWritten(e));
    }
    return reads.result.whenComplete((answers, failure) -> deadlines.forgetDone());
  }

  private <R> CompletableFuture<R> call(
      Script script,
      byte[] key,
      Request arguments,
      List<Supplier<Request>> fewerKeys,
      Call.Reading<R> reading,
      @Nullable CompletableFuture<Long> acknowledged) {
    CompletableFuture<R> result = new CompletableFuture<>();
    long deadlineNanos = time.nanos() + timeoutNanos;
    send(
        new Call<>(
            script,
            false,
            key,
            arguments,
            fewerKeys,
            reading,
            result,
            acknowledged,
            deadlineNanos,
            listener));
    return result;
  }

  private void send(Call<?> call) {
    send(call, null);
  }

  /** Sends a call, to the server that a redirection names if there is one. */
  private void send(Call<?> call, @Nullable String redirection) {
    deadlines.add(call);
    call.sending(time.nanos());
    try {
      if (redirection == null) {
        link.send(call);
      } else if (!link.redirect(call, redirection)) {
        listener.broken(call, new RedisException(redirection));
      }
    } catch (RuntimeException e) {
      listener.broken(call, e);
    }
  }

  private void timedOut(List<Deadlines.Pending> due) {
    List<Call<?>> calls = new ArrayList<>();
    for (Deadlines.Pending pending : due) {
      if (pending instanceof Call<?> call) {
        call.fail(whyNoAnswer(call));
        call.acknowledge(0);
        calls.add(call);
      } else if (pending instanceof Call.Confirmation confirmation) {
        confirmation.acknowledged().complete(0L);
        calls.add(confirmation.call());
      } else if (pending instanceof Reads reads) {
        reads.fail(new Failure.Doubt(new RedisCommandTimeoutException("no answer in time")));
      }
    }
    link.reconnect(calls);
  }

  /** A driver that keeps what it cannot send has a call become due here. */
  private Failure whyNoAnswer(Call<?> call) {
    Throwable late = new RedisCommandTimeoutException("no answer in time");
    Failure why = call.isWritten() ? new Failure.Doubt(late) : whyNotWritten(late);
    // The driver may be about to write it.
    return why instanceof Failure.Refusal refusal
        ? new Failure.Doubt(new StoreRefusedException(refusal.problem(), refusal.message()))
        : why;
  }

  /**
   * Returns why something was not sent: often because there is no connection, and that because the
   * server takes none, which the driver does not say.
   */
  private Failure whyNotWritten(Throwable cause) {
    Failure.Refusal refusal = Failure.ofConnecting(link.describe(), cause);
    if (refusal == null) {
      refusal = refusals.get();
    }
    if (refusal == null) {
      return new Failure.Doubt(cause);
    }
    if (isRefusalTold.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING, "until it takes this client again nothing works: " + refusal.message());
    }
    return refusal;
  }

  /** Receives replies. Runs on the driver's threads. */
  private final class Replies implements Call.Listener {

    @Override
    public void replied(Call<?> call) {
      String error = call.error();
      if (isRefusalTold.getPlain()) {
        isRefusalTold.set(false);
      }
      if (error == null) {
        answer(call);
      } else if (!isSentAgain(call, error)) {
        call.fail(Failure.ofError(error, call.keyText(), link.followsMoves()));
        if (Failure.isReadOnly(error)) {
          link.reconnect(List.of(call));
        }
      }
      deadlines.forgetDone();
    }

    /** Sends a call again, in another form or to another server, if it was not run. */
    private boolean isSentAgain(Call<?> call, String error) {
      if (Failure.isScriptMissing(error)) {
        link.loadScripts(call, time.nanos());
        send(call.again());
        return true;
      }
      boolean isMoved = Failure.isMoved(error) && link.followsMoves();
      Call<?> next = null;
      if (isMoved) {
        link.slotsMoved();
        next = call.redirected(Failure.isAsk(error));
      } else if (Failure.isTryAgain(error)) {
        next = call.withFewerKeys();
      }
      if (next == null) {
        return false;
      }
      send(next, isMoved ? error : null);
      return true;
    }

    @Override
    public void broken(Call<?> call, Throwable cause) {
      call.fail(call.isWritten() ? new Failure.Doubt(cause) : whyNotWritten(cause));
      call.acknowledge(0);
      deadlines.forgetDone();
    }

    private <R> void answer(Call<R> call) {
      R result;
      try {
        Reply reply = call.getOutput().get();
        limits.learn(reply);
        result = call.reading.of(reply);
      } catch (RuntimeException e) {
        call.fail(Failure.unreadable(call.keyText(), e));
        return;
      }
      CompletableFuture<Long> acknowledged = call.acknowledged;
      if (acknowledged != null && !acknowledged.isDone()) {
        deadlines.add(new Call.Confirmation(call, acknowledged, time.nanos() + timeoutNanos));
      }
      call.result.complete(result);
    }
  }
}
