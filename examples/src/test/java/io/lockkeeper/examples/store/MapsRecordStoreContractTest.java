package io.lockkeeper.examples.store;

import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.store.RecordStoreContract;

class MapsRecordStoreContractTest extends RecordStoreContract {

  private final MapsServer server = new MapsServer("records", System::nanoTime);

  @Override
  protected RecordStore open(String clientId) {
    return server.open(clientId);
  }
}
