package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Everything;
import io.lockkeeper.testkit.tck.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.cli.AclParser;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The permissions of {@code docs/stores-zookeeper.md}, word for word: they suffice, and without any
 * of them a client that connects fails with what is missing, and nothing is made.
 */
class ZooKeeperRightsTest {

  private static final ZooKeeperServer SERVER = SharedServer.running();

  /** So that also a busy machine answers before the connecting is over. */
  private static final String PATIENT = "?connectTimeout=60s&timeout=60s";

  private final String root = "/rights-" + UUID.randomUUID();
  private final RawTree admin = RawTree.of(SERVER, "admin:other");
  private final List<ACL> documented = documented();

  /** Returns what the page sets, with app's digest for its {@code HASH}. */
  private static List<ACL> documented() {
    try {
      List<String> lines =
          Files.readAllLines(Path.of("../../docs/stores-zookeeper.md")).stream()
              .filter(line -> line.startsWith("setAcl /locks "))
              .toList();
      assertThat(lines).hasSize(1);
      String hash = DigestAuthenticationProvider.generateDigest("app:s3cret");
      String entries = lines.get(0).substring("setAcl /locks ".length());
      return AclParser.parse(entries.replace("app:HASH", hash));
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String url(String login, String path) {
    return "zookeeper://" + login + "@" + SERVER.connectString() + path + PATIENT;
  }

  private static ThrowingCallable connecting(String url) {
    return () -> Lockkeeper.connect(url).close();
  }

  @Test
  void theDocumentedPermissionsSufficeOnThePathAndAboveIt() throws Exception {
    admin.create(root, documented);
    for (String below : List.of("", "/apps/locks")) {
      String url = url("app:s3cret", root + below);
      try (Lockkeeper a = Lockkeeper.connect(url);
          Lockkeeper b = Lockkeeper.connect(url)) {
        Everything.use(a, b);
      }
      assertThat(rights(examined(url)).verdict()).isEqualTo(Finding.Verdict.OK);
    }
  }

  @Test
  void withoutAnyOfThemConnectingFailsAndSaysWhatIsMissingAndWhere() throws Exception {
    admin.create(root, documented);
    List<List<ACL>> lacking = lacking();
    assertThat(lacking).hasSize(1); // create is the only one
    for (List<ACL> rights : lacking) {
      admin.allow(root, rights);
      for (String below : List.of("", "/apps/locks")) {
        String url = url("app:s3cret", root + below);

        assertThatThrownBy(connecting(url))
            .isInstanceOfSatisfying(
                StoreRefusedException.class,
                refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED))
            .hasMessageContaining(
                "the user 'app' the permission create (c) on the node " + root + ";")
            .hasMessageNotContaining("s3cret");

        Finding found = rights(examined(url));
        assertThat(found.verdict()).isEqualTo(Finding.Verdict.FAIL);
        assertThat(found.found()).contains("create (c) on the node " + root + ";");
        assertThat(found.toString()).doesNotContain("s3cret");
        assertThat(admin.below(root)).isEmpty();
      }
    }
  }

  /** Returns what is left if one permission is taken from app, in each possible way. */
  private List<List<ACL>> lacking() {
    List<List<ACL>> all = new ArrayList<>();
    for (ACL entry : documented) {
      for (int one = 1; one <= ZooDefs.Perms.ADMIN; one <<= 1) {
        if (entry.getId().getId().startsWith("app:") && (entry.getPerms() & one) != 0) {
          List<ACL> rest = new ArrayList<>(documented);
          rest.set(documented.indexOf(entry), new ACL(ZooDefs.Perms.ALL & ~one, entry.getId()));
          all.add(rest);
        }
      }
    }
    return all;
  }

  @Test
  void whoHasAnotherPasswordIsRefusedWhereNodesAreAnothers() throws Exception {
    admin.create(root, documented);
    try (Lockkeeper owner = Lockkeeper.connect(url("app:s3cret", root))) {
      RawTree owned = RawTree.of(SERVER, "app:s3cret");
      String base = root + "/lockkeeper";
      await().until(() -> owned.below(base).stream().anyMatch(node -> node.contains("/m:")));
      List<String> before = owned.described(root + "/lockkeeper");

      for (String login : List.of("app:wr0ng", "other:wr0ng")) {
        assertThatThrownBy(connecting(url(login, root)))
            .isInstanceOf(StoreRefusedException.class)
            .hasMessageContaining("'" + login.substring(0, login.indexOf(':')) + "'")
            .hasMessageContaining("create (c) on the node " + root + "/lockkeeper, which")
            .hasMessageNotContaining("wr0ng");
      }
      assertThatThrownBy(connecting("zookeeper://" + SERVER.connectString() + root + PATIENT))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("clients without a user");

      assertThat(owned.described(root + "/lockkeeper")).isEqualTo(before);
      assertThat(owner.lock("n").tryLock()).isTrue();
      owner.lock("n").unlock();
    }
  }

  @Test
  void theDoctorMakesNothing() throws Exception {
    admin.create(root, documented);

    assertThat(rights(examined(url("app:s3cret", root + "/apps"))).found()).endsWith(" " + root);

    assertThat(admin.below(root)).isEmpty();
  }

  private static List<Finding> examined(String url) {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    return new ZooKeeperStoreProvider()
        .doctor(url)
        .orElseThrow()
        .examine(new StoreContext("doctor", "doctor", "lockkeeper", Timings.DEFAULT, environment));
  }

  private static Finding rights(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.subject().equals("rights"))
        .findFirst()
        .orElseThrow();
  }
}
