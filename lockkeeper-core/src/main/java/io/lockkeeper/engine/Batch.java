package io.lockkeeper.engine;

import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The renewals and looks that fell due in one pulse, to be sent a hundred to a request. The
 * requests go out side by side, and each item gets its own outcome: one that fails takes no other
 * with it.
 */
final class Batch {

  private static final int MAX_SIZE = 100;

  private record Renewal(Gate gate, Tenure tenure, RenewRequest request) {}

  private record Look(Gate gate, LookRequest request) {}

  private final List<Renewal> renewals = new ArrayList<>();
  private final List<Look> looks = new ArrayList<>();

  void renew(Gate gate, Tenure tenure, RenewRequest request) {
    renewals.add(new Renewal(gate, tenure, request));
  }

  void look(Gate gate, LookRequest request) {
    looks.add(new Look(gate, request));
  }

  /** Sends everything; {@code sentNanos} is not later than the sending. */
  void send(Store store, long sentNanos) {
    for (List<Renewal> part : parts(renewals)) {
      List<RenewRequest> requests = part.stream().map(Renewal::request).toList();
      Function<Integer, Consumer<Outcome<RenewAnswer>>> receivers =
          i -> {
            Renewal item = part.get(i);
            return outcome ->
                item.gate().renewAnswered(item.tenure(), item.request(), sentNanos, outcome);
          };
      ask(part.size(), () -> store.renew(requests), receivers);
    }
    for (List<Look> part : parts(looks)) {
      List<LookRequest> requests = part.stream().map(Look::request).toList();
      Function<Integer, Consumer<Outcome<LookAnswer>>> receivers =
          i -> {
            Look item = part.get(i);
            return outcome -> item.gate().lookAnswered(item.request(), sentNanos, outcome);
          };
      ask(part.size(), () -> store.look(requests), receivers);
    }
  }

  private static <T> void ask(
      int size,
      Supplier<CompletionStage<List<Outcome<T>>>> question,
      Function<Integer, Consumer<Outcome<T>>> receivers) {
    CompletionStage<List<Outcome<T>>> stage;
    try {
      stage = question.get();
    } catch (Throwable broken) { // an error too: it must not stop the pulse
      deliver(size, null, broken, receivers);
      return;
    }
    stage.whenComplete((outcomes, broken) -> deliver(size, outcomes, broken, receivers));
  }

  private static <T> void deliver(
      int size,
      @Nullable List<Outcome<T>> outcomes,
      @Nullable Throwable broken,
      Function<Integer, Consumer<Outcome<T>>> receivers) {
    for (int i = 0; i < size; i++) {
      Outcome<T> outcome =
          outcomes != null && i < outcomes.size()
              ? outcomes.get(i)
              : Outcome.unknown(
                  broken != null ? broken : new IllegalStateException("too few answers"));
      receivers.apply(i).accept(outcome);
    }
  }

  private static <T> List<List<T>> parts(List<T> items) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < items.size(); from += MAX_SIZE) {
      parts.add(items.subList(from, Math.min(items.size(), from + MAX_SIZE)));
    }
    return parts;
  }
}
