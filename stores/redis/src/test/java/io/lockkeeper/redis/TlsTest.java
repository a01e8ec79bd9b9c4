package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ServerCertificate;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.testkit.tck.Delays;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The certificates that a URL names. */
@Tag("driver")
@Tag("full")
class TlsTest {

  // Their certificates are what takes the time.
  @AutoClose private static final RedisServer SERVER = RedisServer.builder().tls().start();
  @AutoClose private static final RedisServer OTHER = RedisServer.builder().tls().start();

  @AutoClose
  private static final RedisServer ASKING = RedisServer.builder().clientCertificates().start();

  @AutoClose
  private static final RedisServer OTHER_ASKING =
      RedisServer.builder().clientCertificates().start();

  @TempDir private Path folder;
  private Path ca;
  private Path cert;
  private Path key;

  @BeforeEach
  void nameFiles() {
    ca = folder.resolve("ca.pem");
    cert = folder.resolve("cert.pem");
    key = folder.resolve("key.pem");
  }

  @Test
  void aServerIsTrustedIfItsCertificateIsInTheFile() throws Exception {
    trust(OTHER, SERVER);
    lockAndUnlock(SERVER.url() + "?ca=" + ca);

    trust(OTHER);
    assertRefused(SERVER.url() + "?ca=" + ca, "127.0.0.1:" + SERVER.port());
  }

  @Test
  void aServerThatWantsClientsCertificatesIsShownTheOneThatTheUrlNames() throws Exception {
    trust(ASKING);
    showThatOf(ASKING);
    String url = ASKING.url() + "?connectTimeout=5s&ca=" + ca;

    lockAndUnlock(url + "&cert=" + cert + "&key=" + key);
    assertRefused(url, "127.0.0.1:" + ASKING.port());
  }

  @Test
  void aRenewedCertificateOfTheServerIsTrustedWhenTheFileHasIt() throws Exception {
    try (TcpProxy proxy = new TcpProxy(RedisServer.HOST, SERVER.port())) {
      trust(SERVER);
      try (Lockkeeper keeper = Lockkeeper.connect(url(proxy))) {
        keeper.lock("n").acquire().close();

        trust(OTHER);
        proxy.leadTo(RedisServer.HOST, OTHER.port());
        proxy.reset();

        assertThatItConnects(keeper);
      }
    }
  }

  @Test
  void aRenewedCertificateOfTheClientIsShownForTheNextConnection() throws Exception {
    try (TcpProxy proxy = new TcpProxy(RedisServer.HOST, ASKING.port())) {
      trust(ASKING, OTHER_ASKING);
      showThatOf(ASKING);
      try (Lockkeeper keeper = Lockkeeper.connect(url(proxy) + "&cert=" + cert + "&key=" + key)) {
        keeper.lock("n").acquire().close();

        showThatOf(OTHER_ASKING);
        proxy.leadTo(RedisServer.HOST, OTHER_ASKING.port());
        proxy.reset();

        assertThatItConnects(keeper);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-----BEGIN CERTIFICATE-----\nMIID"})
  void filesThatAreJustBeingWrittenLeaveThoseOfBeforeInUse(String begun) throws Exception {
    try (TcpProxy proxy = new TcpProxy(RedisServer.HOST, SERVER.port())) {
      trust(SERVER);
      try (Lockkeeper keeper = Lockkeeper.connect(url(proxy))) {
        keeper.lock("n").acquire().close();

        Files.writeString(ca, begun);
        proxy.reset();

        assertThatItConnects(keeper);
      }
    }
  }

  @Test
  void aFileThatCannotBeUsedIsNamedWithItsParameter() throws Exception {
    trust(SERVER);
    String url = SERVER.url() + "?ca=";
    assertRefused(url + folder.resolve("none"), "none that ca names does not exist");
    assertRefused(url + folder, "that ca names cannot be read");
    Files.writeString(cert, "no certificate");
    assertRefused(url + cert, "ca names no file of certificates");

    String own = url + ca + "&cert=" + cert + "&key=" + key;
    assertRefused(own, "that key names does not exist");
    Files.copy(certificate(SERVER).keyPem(), key);
    assertRefused(own, "cert and key do not name a certificate and its private key");
    assertThatThrownBy(() -> RedisDoctorTest.examine(own))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("cert and key do not name a certificate and its private key");
  }

  private String url(TcpProxy proxy) {
    return "rediss://127.0.0.1:" + proxy.port() + "?timeout=1s&afterLoss=grant&ca=" + ca;
  }

  private void trust(RedisServer... servers) throws IOException {
    StringBuilder certificates = new StringBuilder();
    for (RedisServer server : servers) {
      certificates.append(Files.readString(certificate(server).certificatePem()));
    }
    Files.writeString(ca, certificates);
  }

  private void showThatOf(RedisServer server) throws IOException {
    Files.writeString(cert, Files.readString(certificate(server).certificatePem()));
    Files.writeString(key, Files.readString(certificate(server).keyPem()));
  }

  private static ServerCertificate certificate(RedisServer server) {
    return server.certificate().orElseThrow();
  }

  private static void lockAndUnlock(String url) throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      keeper.lock("n").acquire().close();
    }
  }

  private static void assertRefused(String url, String message) {
    assertThatThrownBy(() -> Lockkeeper.connect(url).close())
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining(message);
  }

  private static void assertThatItConnects(Lockkeeper keeper) {
    await()
        .atMost(Delays.patience())
        .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
        .untilAsserted(() -> keeper.lock("n").acquire().close());
  }
}
