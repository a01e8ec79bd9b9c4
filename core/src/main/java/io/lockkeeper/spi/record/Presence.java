package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Outcome;
import java.util.concurrent.CompletableFuture;

/** The record of a client, without which it changes no resource. */
interface Presence {

  /** That of a client whose changes demand none. */
  Presence ALWAYS = () -> CompletableFuture.completedFuture(Outcome.answered(true));

  /** Completes when the record is there, as far as this client knows, or could not be put. */
  CompletableFuture<Outcome<Boolean>> ready();

  /** The same, when the store has said that the record is not there. */
  default CompletableFuture<Outcome<Boolean>> restored() {
    return ready();
  }

  /** Returns whether nothing has to be waited for. */
  default boolean isReady() {
    CompletableFuture<Outcome<Boolean>> present = ready();
    return present.isDone() && present.join() instanceof Outcome.Answered;
  }
}
