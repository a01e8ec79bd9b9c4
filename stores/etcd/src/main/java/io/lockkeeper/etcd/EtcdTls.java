package io.lockkeeper.etcd;

import io.etcd.jetcd.Client;
import io.lockkeeper.spi.support.TlsFiles;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * Reads the certificates and the key again for a new connection: they are renewed while the client
 * runs. Files that cannot be used, because they are just being written, leave those of before in
 * use until the next connection.
 */
final class EtcdTls extends SslContext {

  private final TlsFiles files;
  private volatile Loaded loaded;

  private record Loaded(SslContext context, TlsFiles.Contents contents) {}

  /**
   * Reads the files.
   *
   * @throws IOException if they cannot be read
   * @throws IllegalArgumentException if they have no certificates, or no key
   */
  EtcdTls(TlsFiles files) throws IOException {
    this.files = files;
    this.loaded = load(files.read());
  }

  private static Loaded load(TlsFiles.Contents contents) throws IOException {
    SslContext context =
        Client.builder()
            .sslContext(tls -> contents.applyTo(tls::trustManager, tls::keyManager))
            .sslContext();
    return new Loaded(Objects.requireNonNull(context), contents);
  }

  private SslContext current() {
    Loaded known = loaded;
    try {
      TlsFiles.Contents contents = files.read();
      if (!contents.equals(known.contents())) {
        known = load(contents);
        loaded = known;
      }
    } catch (IOException | IllegalArgumentException e) {
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
