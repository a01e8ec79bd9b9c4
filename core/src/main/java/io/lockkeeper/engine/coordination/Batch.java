package io.lockkeeper.engine.coordination;

import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;

/** Gathers the renewals and polls that fall due in one scan, to send them together. */
final class Batch {

  /**
   * Takes in an answer.
   *
   * @param <A> the answer
   */
  interface Receiver<A> {

    /**
     * Takes in what became of a request.
     *
     * @param sentNanos not later than the sending
     */
    void answered(long sentNanos, Outcome<A> outcome);
  }

  private record Item<Q, A>(String name, Q request, Receiver<A> receiver) {}

  private final List<Item<RenewRequest, RenewAnswer>> renewals = new ArrayList<>();
  private final List<Item<PollRequest, PollAnswer>> polls = new ArrayList<>();

  /** Adds a renewal that concerns one name. */
  void renew(String name, RenewRequest request, Receiver<RenewAnswer> receiver) {
    renewals.add(new Item<>(name, request, receiver));
  }

  /** Adds a poll that concerns one name. */
  void poll(String name, PollRequest request, Receiver<PollAnswer> receiver) {
    polls.add(new Item<>(name, request, receiver));
  }

  /**
   * Sends everything.
   *
   * @param sentNanos not later than the sending
   */
  void send(ClientRuntime runtime, long sentNanos) {
    Store store = runtime.store();
    StoreCalls.tellEach(
        runtime,
        renewals,
        Item::name,
        part -> store.renew(part.stream().map(Item::request).toList()),
        (renewal, outcome) -> renewal.receiver().answered(sentNanos, outcome));
    StoreCalls.tellEach(
        runtime,
        polls,
        Item::name,
        part -> store.poll(part.stream().map(Item::request).toList()),
        (poll, outcome) -> poll.receiver().answered(sentNanos, outcome));
  }
}
