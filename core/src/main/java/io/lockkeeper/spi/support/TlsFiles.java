package io.lockkeeper.spi.support;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The files in PEM format that a URL names for TLS: {@code ca} has the certificates to trust,
 * {@code cert} the client's own certificate and {@code key} its private key.
 *
 * <p>Certificates are renewed while a client runs, so a store reads the files for each connection.
 *
 * @param ca the certificates to trust; null for those of the JDK
 * @param cert the client's certificate; null for none
 * @param key the private key of that; null for none
 */
public record TlsFiles(@Nullable Path ca, @Nullable Path cert, @Nullable Path key) {

  /** The names of the parameters of URLs. */
  public static final Set<String> PARAMETERS = Set.of("ca", "cert", "key");

  /**
   * The contents of the files.
   *
   * @param ca the certificates to trust; null for those of the JDK
   * @param cert the client's certificate; null for none
   * @param key the private key of that; null for none
   */
  public record Contents(@Nullable String ca, @Nullable String cert, @Nullable String key) {

    /** No files. */
    public static final Contents NONE = new Contents(null, null, null);

    /**
     * Passes the contents on to a driver's builder.
     *
     * @param trust takes the certificates to trust
     * @param present takes the client's certificate and its private key
     * @throws IllegalArgumentException if the builder refuses them with such an exception; the
     *     message names the parameter
     */
    public void applyTo(Consumer<InputStream> trust, BiConsumer<InputStream, InputStream> present) {
      if (ca != null) {
        try {
          trust.accept(stream(ca));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("ca names no file of certificates in PEM format", e);
        }
      }
      if (cert != null && key != null) {
        try {
          present.accept(stream(cert), stream(key));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "cert and key do not name a certificate and its private key in PEM format", e);
        }
      }
    }

    private static InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns a text without the contents, which may be a private key. */
    @Override
    public String toString() {
      return "TlsFiles.Contents";
    }
  }

  /**
   * Returns the files that a URL names.
   *
   * @throws IllegalArgumentException if there is a certificate without a key or a key without a
   *     certificate, or a value is no path; the message names the parameter
   */
  public static TlsFiles of(Map<String, String> parameters) {
    if (parameters.containsKey("cert") != parameters.containsKey("key")) {
      throw new IllegalArgumentException(
          "cert and key belong together: the client's certificate and its private key, as files in"
              + " PEM format");
    }
    return new TlsFiles(path("ca", parameters), path("cert", parameters), path("key", parameters));
  }

  private static @Nullable Path path(String name, Map<String, String> parameters) {
    String file = parameters.get(name);
    try {
      return file == null ? null : Path.of(file);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(name + " must be the path of a file", e);
    }
  }

  /**
   * Reads the files.
   *
   * @throws IOException if one cannot be read; the message names the parameter
   */
  public Contents read() throws IOException {
    return new Contents(read("ca", ca), read("cert", cert), read("key", key));
  }

  private static @Nullable String read(String name, @Nullable Path file) throws IOException {
    if (file == null) {
      return null;
    }
    try {
      // Any byte is a character there: comments may be in any encoding.
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      String why = e instanceof NoSuchFileException ? " does not exist" : " cannot be read";
      throw new IOException("the file " + file + " that " + name + " names" + why, e);
    }
  }
}
