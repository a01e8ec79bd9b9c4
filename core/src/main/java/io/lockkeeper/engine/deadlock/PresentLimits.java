package io.lockkeeper.engine.deadlock;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks the store for the present limits of the semaphores that are waited for. */
final class PresentLimits {

  private final ClientRuntime runtime;

  PresentLimits(ClientRuntime runtime) {
    this.runtime = runtime;
  }

  /** Returns the suspects with the limits that the store says, where it does. */
  CompletionStage<List<Suspect>> of(List<Suspect> suspects) {
    CompletionStage<List<Suspect>> all = CompletableFuture.completedFuture(new ArrayList<>());
    for (Suspect suspect : suspects) {
      all =
          all.thenCombine(
              checked(suspect),
              (list, one) -> {
                list.add(one);
                return list;
              });
    }
    return all;
  }

  private CompletionStage<Suspect> checked(Suspect suspect) {
    if (suspect.resource().kind() != ResourceKind.SEMAPHORE) {
      return CompletableFuture.completedFuture(suspect);
    }
    return runtime
        .store()
        .inspect(suspect.resource())
        .thenApply(outcome -> suspect.withLimit(limit(outcome, suspect.limit())));
  }

  private static int limit(Outcome<Inspection> outcome, int otherwise) {
    return outcome instanceof Outcome.Answered<Inspection> answered
        ? answered.answer().limit().orElse(otherwise)
        : otherwise;
  }
}
