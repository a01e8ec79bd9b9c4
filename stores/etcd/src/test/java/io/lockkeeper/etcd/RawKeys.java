package io.lockkeeper.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.lockkeeper.servers.EtcdServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The keys of a server as they are. */
final class RawKeys {

  private static final Map<EtcdServer, RawKeys> ALL = new ConcurrentHashMap<>();

  private final KV etcd;
  private final Lease leases;

  private RawKeys(EtcdServer server) {
    Client client = Client.builder().endpoints("http://" + server.connectString()).build();
    this.etcd = client.getKVClient();
    this.leases = client.getLeaseClient();
  }

  static RawKeys of(EtcdServer server) {
    return ALL.computeIfAbsent(server, RawKeys::new);
  }

  /** Returns the keys that begin with this. */
  List<String> below(String prefix) {
    GetOption all = GetOption.builder().isPrefix(true).withKeysOnly(true).build();
    return etcd.get(EtcdKeys.bytes(prefix), all).join().getKvs().stream()
        .map(KeyValue::getKey)
        .map(EtcdKeys::text)
        .toList();
  }

  /** Returns at which revision a key that is there was last written. */
  long revision(String key) {
    return etcd.get(EtcdKeys.bytes(key)).join().getKvs().get(0).getModRevision();
  }

  void put(String key, String value) {
    etcd.put(EtcdKeys.bytes(key), EtcdKeys.bytes(value)).join();
  }

  /** Ends the lease of a key, if there is such a key, and all keys with it. */
  void endLeaseOf(ByteSequence key) {
    etcd.get(key).join().getKvs().stream()
        .map(KeyValue::getLease)
        .forEach(lease -> leases.revoke(lease).join());
  }

  /** Deletes keys, without a note of that. */
  void delete(String prefix, Predicate<String> which) {
    below(prefix).stream()
        .filter(which)
        .map(EtcdKeys::bytes)
        .forEach((ByteSequence key) -> etcd.delete(key, DeleteOption.DEFAULT).join());
  }
}
