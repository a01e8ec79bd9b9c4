package io.lockkeeper.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
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
import org.jspecify.annotations.Nullable;

/**
 * Calls of scripts, from the operation's arguments to its outcome.
 *
 * <p>A call without an answer in time is in doubt, and so is one whose connection broke; the
 * connection that brought no answer is then closed, because it may be half open.
 */
final class ScriptCalls {

  private final Link link;
  private final Keyspace keyspace;
  private final byte[] clientId;
  private final Limits limits;
  private final long timeoutNanos;
  private final Replication replication;
  private final Deadlines deadlines;
  private final Call.Listener listener = new Replies();

  ScriptCalls(
      StoreContext context, Link link, Limits limits, Duration timeout, Replication replication) {
    this.link = link;
    this.keyspace = new Keyspace(context.namespace());
    this.clientId = context.clientId().getBytes(StandardCharsets.US_ASCII);
    this.limits = limits;
    this.timeoutNanos = timeout.toNanos();
    this.replication = replication;
    this.deadlines = new Deadlines(link.timer(), timeoutNanos, this::timedOut);
  }

  void close() {
    deadlines.close();
  }

  /** Calls a script on one resource. */
  <T> CompletableFuture<Outcome<T>> one(
      Script script,
      String resource,
      Consumer<Request> ownArguments,
      Function<Reply, T> answer,
      @Nullable CompletableFuture<Long> acknowledged) {
    byte[] key = keyspace.record(resource);
    Request arguments = new Request().add(script.keys());
    script.addKeys(arguments, key);
    arguments.add(clientId).add(limits);
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
  <Q, T> CompletableFuture<List<Outcome<T>>> many(
      Script script,
      List<Q> batch,
      Function<Q, String> resource,
      BiConsumer<Request, Q> ownArguments,
      BiFunction<Reply, Q, T> answer,
      boolean toConfirm) {
    List<byte[]> keys = batch.stream().map(resource).map(keyspace::record).toList();
    Function<int[], Request> arguments =
        group -> {
          Request request = new Request().add((long) script.keys() * group.length);
          for (int i : group) {
            script.addKeys(request, keys.get(i));
          }
          request.add(clientId).add(limits);
          for (int i : group) {
            ownArguments.accept(request, batch.get(i));
          }
          return request;
        };
    return grouped(
        script, keys, arguments, (reply, i) -> answer.apply(reply, batch.get(i)), toConfirm);
  }

  /** Calls a script on many keys, with the arguments for each group of them. */
  <T> CompletableFuture<List<Outcome<T>>> grouped(
      Script script,
      List<byte[]> keys,
      Function<int[], Request> arguments,
      BiFunction<Reply, Integer, T> answer,
      boolean toConfirm) {
    List<CompletableFuture<List<Outcome<T>>>> calls = new ArrayList<>();
    List<int[]> groups = link.groups(keys);
    for (int[] group : groups) {
      calls.add(group(script, keys, group, arguments, answer, toConfirm));
    }
    return calls.size() == 1 ? calls.get(0) : inOrder(keys.size(), groups, calls);
  }

  /**
   * Calls a script on keys of one server. If what a key holds makes the script fail, which is then
   * not known of any of them in particular, it is called on each by itself.
   */
  private <T> CompletableFuture<List<Outcome<T>>> group(
      Script script,
      List<byte[]> keys,
      int[] group,
      Function<int[], Request> arguments,
      BiFunction<Reply, Integer, T> answer,
      boolean toConfirm) {
    @Nullable CompletableFuture<Long> acknowledged = toConfirm ? new CompletableFuture<>() : null;
    AtomicBoolean isSpoiled = new AtomicBoolean();
    CompletableFuture<List<Outcome<T>>> call =
        call(
            script,
            keys.get(group[0]),
            arguments.apply(group),
            each(group, keys, answer, isSpoiled),
            acknowledged);
    CompletableFuture<List<Outcome<T>>> whole =
        acknowledged == null ? call : confirmed(call, acknowledged);
    if (group.length == 1) {
      return whole;
    }
    return whole.thenCompose(
        outcomes -> {
          if (!isSpoiled.get()) {
            return CompletableFuture.completedFuture(outcomes);
          }
          List<CompletableFuture<List<Outcome<T>>>> single =
              Arrays.stream(group)
                  .mapToObj(i -> group(script, keys, new int[] {i}, arguments, answer, toConfirm))
                  .toList();
          return CompletableFuture.allOf(single.toArray(CompletableFuture<?>[]::new))
              .thenApply(all -> single.stream().map(one -> one.join().get(0)).toList());
        });
  }

  /** Calls a script, and doubts its answer if replicas are wanted and too few have it. */
  <T> CompletableFuture<Outcome<T>> confirmed(
      Script script, byte[] key, Request arguments, Call.Reading<Outcome<T>> reading) {
    if (!replication.isNeeded()) {
      return call(script, key, arguments, reading, null);
    }
    CompletableFuture<Long> acknowledged = new CompletableFuture<>();
    return call(script, key, arguments, reading, acknowledged)
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
      int[] group,
      List<byte[]> keys,
      BiFunction<Reply, Integer, T> answer,
      AtomicBoolean isSpoiled) {
    return new Call.Reading<>() {
      @Override
      public List<Outcome<T>> of(Reply reply) {
        return Arrays.stream(group)
            .mapToObj(i -> outcome(reply, keys.get(i), read -> answer.apply(read, i)))
            .toList();
      }

      @Override
      public List<Outcome<T>> of(Failure failure) {
        isSpoiled.set(failure.isOfRecord());
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
    } catch (Answers.ForeignRecordException foreign) {
      return Failure.foreign(new String(key, StandardCharsets.UTF_8)).toOutcome();
    }
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
        } else if (Failure.isMoved(error)) {
          link.slotsMoved();
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
        Reply reply = call.getOutput().get();
        limits.learn(reply);
        result = call.reading.of(reply);
      } catch (RuntimeException e) {
        call.fail(Failure.unreadable(call.keyText(), e));
        return;
      }
      call.result.complete(result);
    }
  }
}
