package io.lockkeeper.etcd;

import io.lockkeeper.spi.support.TlsFiles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings in a URL.
 *
 * @param hosts the servers, with their ports
 * @param tls the files that TLS needs; null for no TLS
 * @param user empty for none
 * @param password the password of the user
 * @param options what is not about the connection
 */
record EtcdSettings(
    List<String> hosts, @Nullable TlsFiles tls, String user, String password, EtcdOptions options) {

  /** Returns the servers as the driver wants them. */
  List<String> endpoints() {
    String scheme = tls == null ? "http://" : "https://";
    return hosts.stream().map(host -> scheme + host).toList();
  }

  @Override
  public String toString() {
    return options.describe();
  }
}
