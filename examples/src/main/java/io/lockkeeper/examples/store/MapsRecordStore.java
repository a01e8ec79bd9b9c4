package io.lockkeeper.examples.store;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** One client's way to the records of a {@link MapsServer}, which answers at once. */
final class MapsRecordStore implements RecordStore {

  private final MapsServer server;
  private final String clientId;

  MapsRecordStore(MapsServer server, String clientId) {
    this.server = server;
    this.clientId = clientId;
  }

  @Override
  public StoreTraits traits() {
    return StoreTraits.PLAIN;
  }

  @Override
  public String describe() {
    return "maps:" + server.name();
  }

  @Override
  public RecordClock clock() {
    return server.clock();
  }

  @Override
  public void listen(Listener listener) {
    server.enter(clientId, listener);
  }

  @Override
  public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
    return each(requests, request -> server.read(request.key()));
  }

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    return each(changes, server::commit);
  }

  @Override
  public CompletionStage<Outcome<List<String>>> list(String prefix) {
    List<String> found = server.keys().stream().filter(key -> key.startsWith(prefix)).toList();
    return CompletableFuture.completedFuture(Outcome.answered(found));
  }

  private static <Q, A> CompletionStage<List<Outcome<A>>> each(
      List<Q> requests, Function<Q, A> answer) {
    List<Outcome<A>> answers =
        requests.stream().map(request -> Outcome.answered(answer.apply(request))).toList();
    return CompletableFuture.completedFuture(answers);
  }

  @Override
  public void close() {
    server.leave(clientId);
  }
}
