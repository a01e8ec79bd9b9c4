package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EtcdServerTest {

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));
  private static final String PUT = "{\"key\":\"a2V5\",\"value\":\"dmFsdWU=\"}";
  private static final String KEY = "{\"key\":\"a2V5\"}";

  @BeforeAll
  static void isThere() {
    assumeTrue(IS_CI || EtcdBinary.onPath().isPresent(), EtcdBinary.WHY_NONE);
  }

  @Test
  void keepsItsDataOverAKill() {
    EtcdServer server = EtcdServer.start();
    try (server) {
      server.post("/v3/kv/put", PUT);
      long pid = server.pid();
      server.kill();
      assertThat(server.isServing()).isFalse();
      server.restart();
      assertThat(server.pid()).isNotEqualTo(pid);
      assertThat(holdsTheKey(server)).isTrue();
      assertThat(server.isLeader()).isTrue();
      assertThat(server.metrics()).containsKey("etcd_server_has_leader");
    }
    assertThat(ProcessHandle.of(server.pid())).isEmpty();
    assertThatThrownBy(() -> server.get("/health")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anEnsembleOutlivesItsLeader() {
    try (EtcdEnsemble ensemble = EtcdEnsemble.start()) {
      ensemble.awaitWhole();
      EtcdServer leader = ensemble.leader();
      leader.post("/v3/kv/put", PUT);
      leader.kill();
      assertThat(ensemble.leader()).isNotSameAs(leader);
      await().until(() -> holdsTheKey(ensemble.leader()));
      leader.restart();
      ensemble.restart();
      await().until(() -> holdsTheKey(ensemble.leader()));
    }
  }

  @Test
  void forgetsItsHistoryAndItsLeasesWhenAsked() {
    try (EtcdServer server = EtcdServer.start()) {
      server.post("/v3/lease/grant", "{\"TTL\":\"60\"}");
      server.post("/v3/kv/put", PUT);
      server.post("/v3/kv/put", PUT);
      assertThat(server.leases()).hasSize(1);

      server.compact();
      server.compact(); // nothing has happened since
      server.revokeLeases();

      assertThat(server.leases()).isEmpty();
      assertThat(holdsTheKey(server)).isTrue();
      assertThatThrownBy(
              () -> server.post("/v3/kv/range", KEY.replace("}", ",\"revision\":\"2\"}")))
          .hasMessageContaining("compacted");
    }
  }

  @Test
  void speaksTls() {
    try (EtcdServer server = EtcdServer.builder().tls().start()) {
      server.post("/v3/kv/put", PUT);
      assertThat(holdsTheKey(server)).isTrue();
      assertThat(server.url()).startsWith("etcds://");
    }
  }

  @Test
  void saysWhatTheServerSaidWhenItDoesNotStart() {
    assertThatThrownBy(() -> EtcdServer.builder().option("no-such-option", "1").start())
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("no-such-option");
  }

  private static boolean holdsTheKey(EtcdServer server) {
    return server.post("/v3/kv/range", KEY).contains("dmFsdWU=");
  }
}
