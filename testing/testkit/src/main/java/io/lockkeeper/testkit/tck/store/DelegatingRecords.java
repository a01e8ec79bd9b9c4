package io.lockkeeper.testkit.tck.store;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.record.Appending;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Records that do all that others do. Its subclasses do something differently. */
public abstract class DelegatingRecords implements RecordStore {

  /** The others. */
  protected final RecordStore records;

  /** Creates them. */
  protected DelegatingRecords(RecordStore records) {
    this.records = records;
  }

  @Override
  public StoreTraits traits() {
    return records.traits();
  }

  @Override
  public String describe() {
    return records.describe();
  }

  @Override
  public RecordClock clock() {
    return records.clock();
  }

  @Override
  public boolean hasSessions() {
    return records.hasSessions();
  }

  @Override
  public boolean makesOnAnyAbsence() {
    return records.makesOnAnyAbsence();
  }

  @Override
  public long sessionMillis() {
    return records.sessionMillis();
  }

  @Override
  public boolean provesAbsence() {
    return records.provesAbsence();
  }

  @Override
  public boolean appends() {
    return records.appends();
  }

  @Override
  public CompletionStage<Outcome<Reading>> append(Appending appending) {
    return records.append(appending);
  }

  @Override
  public boolean isOrdered() {
    return records.isOrdered();
  }

  @Override
  public boolean watches() {
    return records.watches();
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
