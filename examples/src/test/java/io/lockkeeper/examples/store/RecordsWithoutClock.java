package io.lockkeeper.examples.store;

import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.store.DelegatingRecords;

/** Records of a store that has no clock, as far as its clients know: each process has its own. */
final class RecordsWithoutClock extends DelegatingRecords {

  private final RecordClock own;

  RecordsWithoutClock(RecordStore records, RecordClock own) {
    super(records);
    this.own = own;
  }

  @Override
  public RecordClock clock() {
    return own;
  }
}
