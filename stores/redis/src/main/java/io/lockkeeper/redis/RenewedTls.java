package io.lockkeeper.redis;

import io.lockkeeper.spi.support.TlsFiles;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Reads the certificates and the key again for a new connection: they are renewed while the client
 * runs. Files that cannot be used, because they are just being written, leave those of before in
 * use until the next connection.
 */
final class RenewedTls implements Consumer<SslContextBuilder> {

  private final TlsFiles files;
  private volatile TlsFiles.Contents usable = TlsFiles.Contents.NONE;

  RenewedTls(TlsFiles files) {
    this.files = files;
  }

  /**
   * Reads the files, which must be done once before there is a connection.
   *
   * @throws IOException if one cannot be read
   * @throws IllegalArgumentException if they have no certificates, or no key
   */
  void read() throws IOException {
    TlsFiles.Contents contents = files.read();
    if (!contents.equals(usable)) {
      apply(contents, SslContextBuilder.forClient());
      usable = contents;
    }
  }

  /** Called by the driver for each connection, in a thread that does its I/O. */
  @Override
  public void accept(SslContextBuilder builder) {
    try {
      read();
    } catch (IOException | IllegalArgumentException e) {
      // Those of before stay in use.
    }
    apply(usable, builder);
  }

  private static void apply(TlsFiles.Contents contents, SslContextBuilder builder) {
    contents.applyTo(builder::trustManager, builder::keyManager);
  }
}
