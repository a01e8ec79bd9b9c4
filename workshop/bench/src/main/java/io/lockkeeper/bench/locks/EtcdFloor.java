package io.lockkeeper.bench.locks;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A key with its client's lease: put if it is not there, and deleted. */
final class EtcdFloor extends Floor {

  /** A lease is of the client here, and nothing renews it. */
  private static final long CLIENT_SECONDS = TimeUnit.DAYS.toSeconds(1);

  private final Client client;
  private final KV etcd;
  private final PutOption leased;

  EtcdFloor(String url) {
    client = Client.builder().endpoints("http://" + URI.create(url).getAuthority()).build();
    etcd = client.getKVClient();
    long lease = client.getLeaseClient().grant(CLIENT_SECONDS).join().getID();
    leased = PutOption.builder().withLeaseId(lease).build();
  }

  @Override
  long take(String name, String owner) {
    ByteSequence key = bytes("floor/" + name);
    TxnResponse answer =
        etcd.txn()
            .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
            .Then(Op.put(key, bytes(owner), leased))
            .commit()
            .join();
    return answer.isSucceeded() ? answer.getHeader().getRevision() : 0;
  }

  @Override
  void giveBack(String name, String owner) {
    var unused = etcd.delete(bytes("floor/" + name));
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.close();
  }
}
