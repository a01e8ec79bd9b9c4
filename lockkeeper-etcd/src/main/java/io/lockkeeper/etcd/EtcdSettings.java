package io.lockkeeper.etcd;

import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings in a URL.
 *
 * @param hosts the servers, with their ports
 * @param tls what is needed to speak TLS; null for none
 * @param user empty for none
 * @param password the password of the user
 * @param options what is not about the connection
 */
record EtcdSettings(
    List<String> hosts, @Nullable Tls tls, String user, String password, EtcdOptions options) {

  /**
   * The files and names that TLS needs.
   *
   * @param authorities the certificates that are trusted; null for those of the JDK
   * @param certificate the client's own; null for none
   * @param key the private key of that
   */
  record Tls(@Nullable Path authorities, @Nullable Path certificate, @Nullable Path key) {

    void apply(SslContextBuilder builder) {
      if (authorities != null) {
        builder.trustManager(authorities.toFile());
      }
      if (certificate != null && key != null) {
        builder.keyManager(certificate.toFile(), key.toFile());
      }
    }
  }

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
