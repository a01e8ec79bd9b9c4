package io.lockkeeper.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.servers.EtcdEnsemble;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.Finding.Verdict;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the doctor finds at servers that are ill, and what it advises. */
@Tag(ServersTests.TAG)
class EtcdDoctorTest {

  private static Finding finding(String url, String subject) {
    StoreContext context =
        new StoreContext(
            "doctor",
            "test client",
            "doctor",
            new Timings(5_000, 1_000, 60_000),
            new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
    return new EtcdStoreProvider()
        .doctor(url).orElseThrow().examine(context).stream()
            .filter(found -> found.subject().equals(subject))
            .findFirst()
            .orElseThrow();
  }

  @Test
  void aClusterWithoutAMajorityIsNamed() {
    try (EtcdEnsemble ensemble = EtcdEnsemble.start()) {
      assertThat(finding(ensemble.url(), "servers").verdict()).isEqualTo(Verdict.OK);
      ensemble.followers().forEach(EtcdServer::kill);

      // The last one believes in itself for a moment.
      await()
          .atMost(Delays.patience())
          .untilAsserted(
              () -> {
                Finding servers = finding(ensemble.url() + "?timeout=1s", "servers");
                assertThat(servers.verdict()).isEqualTo(Verdict.FAIL);
                assertThat(servers.found()).contains("1 of 3 named answer", "no leader");
                assertThat(servers.advice()).contains("start", "majority");
              });
    }
  }

  @Test
  void aQuotaThatIsNearlyOrWhollyUsedUpIsNamed() {
    try (EtcdServer server =
        EtcdServer.builder().option("quota-backend-bytes", "10000000").start()) {
      assertThat(finding(server.url(), "space").verdict()).isEqualTo(Verdict.OK);
      fill(server, 60);
      // How much more than the values the file takes depends on when the server writes.
      Finding nearly = finding(server.url(), "space");
      for (int i = 0; i < 40 && nearly.verdict() == Verdict.OK; i++) {
        fill(server, 1);
        nearly = finding(server.url(), "space");
      }

      assertThat(nearly.verdict()).isEqualTo(Verdict.WARN);
      assertThat(nearly.found()).containsPattern("[789] MiB of 9 MiB");
      assertThat(nearly.advice()).contains("quota-backend-bytes");

      try {
        fill(server, 100);
      } catch (IllegalStateException full) {
        assertThat(full).hasMessageContaining("space exceeded");
      }
      await()
          .atMost(Delays.patience())
          .untilAsserted(
              () -> assertThat(finding(server.url(), "space").verdict()).isEqualTo(Verdict.FAIL));
      Finding full = finding(server.url(), "space");
      assertThat(full.found()).contains("NOSPACE");
      assertThat(full.advice())
          .contains("etcdctl compact", "etcdctl defrag", "etcdctl alarm disarm");
    }
  }

  @Test
  void aQuotaThatTheServerDoesNotTellIsNotGuessed() {
    try (EtcdServer server = EtcdServer.builder().tls().start()) {
      String pem = String.valueOf(Objects.requireNonNull(server.certificate()).certificatePem());

      assertThat(finding(server.url() + "?ca=" + pem, "space").found())
          .endsWith("MiB, quota not known");
    }
  }

  private static void fill(EtcdServer server, int values) {
    String large = Base64.getEncoder().encodeToString("x".repeat(100_000).getBytes(UTF_8));
    for (int i = 0; i < values; i++) {
      server.post("/v3/kv/put", "{\"key\":\"eA==\",\"value\":\"" + large + "\"}");
    }
  }

  @Test
  void aUserWithoutRightsIsNamedWithTheRightsItNeeds() {
    try (EtcdServer server = EtcdServer.start()) {
      for (String user : List.of("root", "nobody")) {
        server.post("/v3/auth/user/add", "{\"name\":\"" + user + "\",\"password\":\"s3cret\"}");
      }
      server.post("/v3/auth/role/add", "{\"name\":\"root\"}");
      server.post("/v3/auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
      server.post("/v3/auth/enable", "{}");

      Finding rights = finding("etcd://nobody:s3cret@" + server.connectString(), "rights");
      assertThat(rights.verdict()).isEqualTo(Verdict.FAIL);
      assertThat(rights.found()).contains("permission denied").doesNotContain("s3cret");
      assertThat(rights.advice())
          .contains("etcdctl role grant-permission", "readwrite lockkeeper/", "nobody");
    }
  }
}
