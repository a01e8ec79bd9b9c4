package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A client's connections to the store of records: requests overtake each other, are lost before or
 * after they are carried out, or are carried out when they have been given up; messages are lost
 * and come twice.
 */
final class SimRecordStore implements RecordStore {

  private static final int SPIKE_ONE_IN = 12;
  private static final int SPIKE = 20;
  private static final int TWICE_ONE_IN = 10;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final SimHost host;
  private final SplittableRandom random;
  private final RecordStore direct;
  private final Runnable afterCommit;
  private final boolean endsLateChanges;

  /** How many changes of this client have had an unknown outcome. */
  private int unknown;

  /** How many had when the latest was sent of those that have been carried out. */
  private int ended;

  /**
   * Creates it.
   *
   * @param afterCommit is run when a change of this client has been carried out
   * @param endsLateChanges whether a change of unknown outcome is no longer carried out when one
   *     has been that was sent later
   */
  SimRecordStore(SimHost host, RecordStore direct, Runnable afterCommit, boolean endsLateChanges) {
    this.host = host;
    this.random = host.random();
    this.direct = direct;
    this.afterCommit = afterCommit;
    this.endsLateChanges = endsLateChanges;
  }

  @Override
  public StoreTraits traits() {
    return direct.traits();
  }

  @Override
  public String describe() {
    return "simulated " + direct.describe();
  }

  @Override
  public RecordClock clock() {
    return direct.clock();
  }

  @Override
  public boolean hasSessions() {
    return direct.hasSessions();
  }

  @Override
  public boolean provesAbsence() {
    return direct.provesAbsence();
  }

  @Override
  public boolean makesOnAnyAbsence() {
    return direct.makesOnAnyAbsence();
  }

  @Override
  public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
    return each(requests, request -> direct.read(List.of(request)));
  }

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    int known = unknown;
    CompletionStage<List<Outcome<CommitAnswer>>> answers =
        each(
            changes,
            change -> {
              if (endsLateChanges && known < ended) {
                return CompletableFuture.completedFuture(List.of(unknown()));
              }
              ended = Math.max(ended, known);
              CompletionStage<List<Outcome<CommitAnswer>>> made = direct.commit(List.of(change));
              afterCommit.run();
              return made;
            });
    return answers.thenApply(this::counted);
  }

  private List<Outcome<CommitAnswer>> counted(List<Outcome<CommitAnswer>> outcomes) {
    if (outcomes.stream().anyMatch(outcome -> outcome instanceof Outcome.Unknown)) {
      unknown++;
    }
    return outcomes;
  }

  @Override
  public CompletionStage<Outcome<List<String>>> list(String prefix) {
    return send("list " + prefix, () -> direct.list(prefix));
  }

  /** The requests of one list leave as one, but are independent of each other. */
  private <Q, A> CompletionStage<List<Outcome<A>>> each(
      List<Q> requests, java.util.function.Function<Q, CompletionStage<List<Outcome<A>>>> call) {
    List<CompletableFuture<Outcome<A>>> answers = new ArrayList<>();
    for (Q request : requests) {
      answers.add(
          send(request, () -> call.apply(request).thenApply(one -> one.get(0)))
              .toCompletableFuture());
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
  }

  private <A> CompletionStage<Outcome<A>> send(
      Object what, Supplier<CompletionStage<Outcome<A>>> call) {
    CompletableFuture<Outcome<A>> answer = new CompletableFuture<>();
    long timeoutNanos = host.timeoutMillis() * NANOS_PER_MILLI;
    boolean isLost = goesWrong();
    boolean isCarriedOut = !isLost || random.nextBoolean();
    long arrivalNanos =
        isLost && random.nextBoolean() ? random.nextLong(3 * timeoutNanos) : latencyNanos();
    host.inProcess(timeoutNanos, () -> answer.complete(unknown()));
    if (isCarriedOut) {
      host.inWorld(
          arrivalNanos,
          () -> {
            Outcome<A> outcome = call.get().toCompletableFuture().join();
            host.trace(() -> host + ": " + what + " -> " + outcome + (isLost ? " (unheard)" : ""));
            if (!isLost) {
              host.inProcess(latencyNanos(), () -> answer.complete(outcome));
            }
          });
    }
    return answer;
  }

  private static <A> Outcome<A> unknown() {
    return Outcome.unknown(new IOException("simulated: no answer"));
  }

  private boolean goesWrong() {
    return host.isDisturbed() && random.nextInt(100) < host.lossPercent();
  }

  private long latencyNanos() {
    long nanos = 1_000 * (1 + random.nextLong(2L * host.latencyMicros()));
    return random.nextInt(SPIKE_ONE_IN) == 0 ? SPIKE * nanos : nanos;
  }

  @Override
  public void listen(Listener listener) {
    direct.listen(
        new Listener() {
          @Override
          public void message(String text) {
            if (!goesWrong()) {
              host.inProcess(latencyNanos(), () -> listener.message(text));
            }
            if (host.isDisturbed() && random.nextInt(TWICE_ONE_IN) == 0) {
              host.inProcess(latencyNanos(), () -> listener.message(text));
            }
          }

          @Override
          public void reconnected() {
            host.inProcess(latencyNanos(), listener::reconnected);
          }
        });
  }

  @Override
  public void close() {
    direct.close();
  }
}
