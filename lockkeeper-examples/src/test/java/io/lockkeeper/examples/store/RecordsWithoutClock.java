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
import java.util.concurrent.CompletionStage;

/** Records of a store that has no clock, as far as its clients know: each process has its own. */
final class RecordsWithoutClock implements RecordStore {

  private final RecordStore records;
  private final RecordClock own;

  RecordsWithoutClock(RecordStore records, RecordClock own) {
    this.records = records;
    this.own = own;
  }

  @Override
  public RecordClock clock() {
    return own;
  }

  @Override
  public StoreTraits traits() {
    return records.traits();
  }

  @Override
  public boolean hasSessions() {
    return records.hasSessions();
  }

  @Override
  public String describe() {
    return records.describe();
  }

  @Override
  public void listen(Listener listener) {
    records.listen(listener);
  }

  @Override
  public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
    return records.read(requests);
  }

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    return records.commit(changes);
  }

  @Override
  public CompletionStage<Outcome<List<String>>> list(String prefix) {
    return records.list(prefix);
  }

  @Override
  public void close() {
    records.close();
  }
}
