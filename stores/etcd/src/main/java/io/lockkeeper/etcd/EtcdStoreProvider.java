package io.lockkeeper.etcd;

import io.lockkeeper.spi.StoreDoctor;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.Optional;
import java.util.Set;

/**
 * Knows the URLs of etcd.
 *
 * <pre>
 *   etcd://[user:password@]host[:port][,host[:port]...][/prefix]
 *   etcds://...  (with TLS)
 * </pre>
 *
 * <p>All keys begin with the prefix, {@code lockkeeper} unless given. Parameters: {@code timeout}
 * of a request (3s), {@code connectTimeout} (10s), {@code sessionTimeout} (10s) after which the
 * servers take a silent client for dead. With TLS: {@code ca}, a file with the certificates to
 * trust instead of those of the JDK, {@code cert} and {@code key}, the client's own certificate and
 * its private key, all in PEM format.
 */
public final class EtcdStoreProvider implements StoreProvider {

  /** Creates it. */
  public EtcdStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("etcd", "etcds");
  }

  @Override
  public String example() {
    return EtcdUrl.EXAMPLE;
  }

  @Override
  public StoreFactory factory(String url) {
    return EtcdStores.of(EtcdUrl.parse(url));
  }

  @Override
  public Optional<StoreDoctor> doctor(String url) {
    return Optional.of(new EtcdDoctor(EtcdUrl.parse(url)));
  }
}
