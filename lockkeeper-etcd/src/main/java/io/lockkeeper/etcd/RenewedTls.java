package io.lockkeeper.etcd;

import io.etcd.jetcd.Client;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;

/**
 * Reads the certificates and the key again for a new connection, if the files have changed: they
 * are renewed while the client runs. Files that cannot be used, because they are just being
 * written, leave those of before in use until the next connection.
 */
final class RenewedTls extends SslContext {

  private final EtcdSettings.Tls tls;
  private volatile Loaded loaded;

  private record Loaded(SslContext context, List<FileTime> times) {}

  /**
   * Reads the files.
   *
   * @throws SSLException if they cannot be used
   */
  RenewedTls(EtcdSettings.Tls tls) throws SSLException {
    this.tls = tls;
    this.loaded = load(tls);
  }

  private static Loaded load(EtcdSettings.Tls tls) throws SSLException {
    List<FileTime> times = times(tls); // before the files: they may change meanwhile
    return new Loaded(
        Objects.requireNonNull(Client.builder().sslContext(tls::apply).sslContext()), times);
  }

  private static List<FileTime> times(EtcdSettings.Tls tls) throws SSLException {
    List<FileTime> times = new ArrayList<>();
    try {
      for (Path file :
          Stream.of(tls.authorities(), tls.certificate(), tls.key())
              .filter(Objects::nonNull)
              .toList()) {
        times.add(Files.getLastModifiedTime(file));
      }
    } catch (IOException e) {
      throw new SSLException("a file cannot be read: " + e.getMessage(), e);
    }
    return times;
  }

  private SslContext current() {
    Loaded known = loaded;
    try {
      if (!times(tls).equals(known.times())) {
        known = load(tls);
        loaded = known;
      }
    } catch (SSLException | IllegalArgumentException e) {
      return known.context();
    }
    return known.context();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return current().newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
    return current().newEngine(allocator, host, port);
  }

  @Override
  public boolean isClient() {
    return true;
  }

  @Override
  public List<String> cipherSuites() {
    return loaded.context().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // there is no newer type in the method's place
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return loaded.context().applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return loaded.context().sessionContext();
  }
}
