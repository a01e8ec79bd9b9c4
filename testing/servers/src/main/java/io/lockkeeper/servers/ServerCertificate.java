package io.lockkeeper.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate for a server on this machine, made with the JDK's {@code keytool}.
 *
 * @param certificatePem the file with the certificate
 * @param keyPem the file with the private key
 * @param clientContext what a client needs to trust it, and to show it as its own if it is asked
 */
public record ServerCertificate(Path certificatePem, Path keyPem, SSLContext clientContext) {

  private static final String ALIAS = "server";
  private static final String STORE_PASSWORD = "changeit";
  private static final int PEM_LINE = 64;

  /** Makes one for {@code localhost} and 127.0.0.1 in {@code folder}. */
  static ServerCertificate create(Path folder) {
    try {
      Path storeFile = folder.resolve("certificate.p12");
      runKeytool(storeFile);
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(storeFile)) {
        store.load(in, STORE_PASSWORD.toCharArray());
      }
      byte[] certificate = store.getCertificate(ALIAS).getEncoded();
      byte[] key = store.getKey(ALIAS, STORE_PASSWORD.toCharArray()).getEncoded();
      return new ServerCertificate(
          writePem(folder.resolve("certificate.pem"), "CERTIFICATE", certificate),
          writePem(folder.resolve("key.pem"), "PRIVATE KEY", key),
          trusting(store));
    } catch (IOException | GeneralSecurityException e) {
      throw new ServerStartException("cannot make a certificate", e);
    }
  }

  private static void runKeytool(Path storeFile) throws IOException {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command =
        List.of(
            keytool.toString(),
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-validity",
            "2",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-storepass",
            STORE_PASSWORD,
            "-keystore",
            storeFile.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool failed: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static Path writePem(Path file, String type, byte[] der) throws IOException {
    byte[] newline = {'\n'};
    String body = Base64.getMimeEncoder(PEM_LINE, newline).encodeToString(der);
    return Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }

  private static SSLContext trusting(KeyStore store) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, STORE_PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), factory.getTrustManagers(), null);
    return context;
  }
}
