package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one kind that leave together: those made before {@link #send} leave as one list, and
 * later ones by themselves. Whatever a store does that it should not becomes an unknown outcome.
 *
 * @param <Q> the requests
 * @param <A> the answers
 */
final class Gather<Q, A> {

  private record Asked<Q, A>(Q request, CompletableFuture<Outcome<A>> answer) {}

  private final Function<List<Q>, CompletionStage<List<Outcome<A>>>> port;
  private final ReentrantLock mutex = new ReentrantLock();
  private List<Asked<Q, A>> gathered = new ArrayList<>();
  private boolean isSent;

  Gather(Function<List<Q>, CompletionStage<List<Outcome<A>>>> port) {
    this.port = port;
  }

  /** Asks all of this at once, and returns what the answers mean together. */
  static <Q, A, T> CompletionStage<Outcome<T>> all(
      Function<List<Q>, CompletionStage<List<Outcome<A>>>> port,
      List<Q> requests,
      Function<List<A>, T> meaning) {
    Gather<Q, A> gather = new Gather<>(port);
    CompletionStage<List<Outcome<A>>> outcomes =
        inOrder(requests.stream().map(gather::ask).toList());
    gather.send();
    return outcomes.thenApply(all -> together(all, meaning));
  }

  private static <A, T> Outcome<T> together(List<Outcome<A>> all, Function<List<A>, T> meaning) {
    List<A> answers = new ArrayList<>();
    for (Outcome<A> outcome : all) {
      if (!(outcome instanceof Outcome.Answered<A> answered)) {
        return Outcomes.failed(outcome);
      }
      answers.add(answered.answer());
    }
    return Outcomes.map(Outcome.answered(answers), meaning);
  }

  /** Returns the values of all stages, in their order, when all are there. */
  static <T> CompletionStage<List<T>> inOrder(List<CompletionStage<T>> stages) {
    List<CompletableFuture<T>> all =
        stages.stream().map(CompletionStage::toCompletableFuture).toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  CompletionStage<Outcome<A>> ask(Q request) {
    Asked<Q, A> asked = new Asked<>(request, new CompletableFuture<>());
    mutex.lock();
    try {
      if (!isSent) {
        gathered.add(asked);
        return asked.answer();
      }
    } finally {
      mutex.unlock();
    }
    send(List.of(asked));
    return asked.answer();
  }

  /** Sends what was asked up to now. */
  void send() {
    List<Asked<Q, A>> all;
    mutex.lock();
    try {
      isSent = true;
      all = gathered;
      gathered = List.of();
    } finally {
      mutex.unlock();
    }
    if (!all.isEmpty()) {
      send(all);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the answers are what is waited for
  private void send(List<Asked<Q, A>> all) {
    try {
      port.apply(all.stream().map(Asked::request).toList())
          .whenComplete((outcomes, failure) -> answer(all, outcomes, failure));
    } catch (Throwable broken) { // an error too: operations wait for these answers
      answer(all, null, broken);
    }
  }

  private static <Q, A> void answer(
      List<Asked<Q, A>> all, @Nullable List<Outcome<A>> outcomes, @Nullable Throwable failure) {
    boolean isAnswered = outcomes != null && outcomes.size() == all.size();
    for (int i = 0; i < all.size(); i++) {
      Outcome<A> outcome =
          isAnswered && outcomes != null
              ? outcomes.get(i)
              : Outcome.unknown(
                  failure == null ? new IllegalStateException("not an answer") : failure);
      all.get(i).answer().complete(outcome);
    }
  }
}
