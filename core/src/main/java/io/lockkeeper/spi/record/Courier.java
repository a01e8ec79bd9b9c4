package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The way of one operation's requests to the store: what can leave together does. */
final class Courier {

  private final Gather<ReadRequest, Reading> reads;
  private final Gather<Change, CommitAnswer> changes;
  private final RecordStore port;

  Courier(RecordStore port) {
    this.port = port;
    this.reads = new Gather<>(port::read);
    this.changes = new Gather<>(port::commit);
  }

  /** Returns one that waits for nothing. */
  static Courier express(RecordStore port) {
    Courier courier = new Courier(port);
    courier.send();
    return courier;
  }

  CompletionStage<Outcome<Reading>> read(ReadRequest request) {
    return reads.ask(request);
  }

  CompletionStage<Outcome<CommitAnswer>> commit(Change change) {
    return changes.ask(change);
  }

  CompletionStage<Outcome<Reading>> append(Appending appending) {
    try {
      return port.append(appending);
    } catch (Throwable broken) { // an error too: operations wait for this answer
      return CompletableFuture.completedFuture(Outcome.unknown(broken));
    }
  }

  /** Sends what was gathered; from now on nothing is. */
  void send() {
    reads.send();
    changes.send();
  }
}
