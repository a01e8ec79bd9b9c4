package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Everything;
import io.lockkeeper.testkit.tck.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The account of {@code docs/STORAGE.md}, word for word: it suffices, and has no right too many.
 */
class RightsTest {

  /**
   * Sent with the text of a script where a server has lost it again just after it was loaded, and
   * where the index of what there is has gone.
   */
  private static final Set<String> FOR_NEED_ONLY = Set.of("eval", "scan");

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private static List<String> documented() {
    try {
      String page = Files.readString(Path.of("../../docs/STORAGE.md"));
      int begin = page.indexOf("ACL SETUSER locks");
      String line = page.substring(begin, page.indexOf("```", begin)).strip();
      return Arrays.asList(line.split("\\s+"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String account(List<String> rights) {
    server.command(rights.toArray(String[]::new));
    return "redis://locks:PASSWORD@127.0.0.1:" + server.port();
  }

  @Test
  void theDocumentedAccountMayDoEverythingAndNothingMore() throws Exception {
    List<String> rights = documented();
    String url = account(rights);
    server.resetStats();

    try (Lockkeeper a = Lockkeeper.connect(url);
        Lockkeeper b = Lockkeeper.connect(url)) {
      Everything.use(a, b);
    }

    Set<String> used = new TreeSet<>();
    server
        .commandStats()
        .forEach((name, stat) -> used.add(name.replaceFirst("^script\\|load$", "script")));
    Set<String> granted = new TreeSet<>();
    for (String right : rights) {
      if (right.startsWith("+")) {
        granted.add(right.substring(1).replace("script|load", "script"));
      }
    }
    granted.removeAll(FOR_NEED_ONLY);
    assertThat(used).as("commands that were called").containsAll(granted);
    assertThat(denials()).as("what was denied").isEmpty();
  }

  /** Returns the commands that the account was not allowed, but for what drivers try anyway. */
  private List<String> denials() {
    List<String> denied = new ArrayList<>();
    for (Object entry : (List<?>) server.command("ACL", "LOG")) {
      List<?> fields = (List<?>) entry;
      String what = String.valueOf(fields.get(fields.indexOf("object") + 1));
      if (!what.startsWith("client|") && !what.equals("client")) {
        denied.add(what);
      }
    }
    return denied;
  }

  @Test
  void anAccountThatMayNotAskWhoTheServerIsLocksAllTheSame() throws Exception {
    List<String> rights = new ArrayList<>(documented());
    rights.remove("+info");
    try (Lockkeeper keeper = Lockkeeper.connect(account(rights))) {
      for (int i = 0; i < 2; i++) {
        keeper.lock("a").acquire().close();
      }
    }
  }

  @Test
  void theDoctorFindsNoFaultWithIt() {
    List<Finding> findings =
        new RedisStoreProvider()
            .doctor(account(documented()))
            .orElseThrow()
            .examine(
                new StoreContext(
                    "doctor",
                    "doctor",
                    "lockkeeper",
                    Timings.DEFAULT,
                    new Environment(System::nanoTime, Threads::scheduler, new Random(1))));

    assertThat(findings).noneMatch(finding -> finding.verdict() == Finding.Verdict.FAIL);
    assertThat(findings.toString()).doesNotContain("PASSWORD");
  }

  @Test
  void outsideOfItsNamespaceTheAccountMayDoNothing() {
    String url = account(documented());

    Assertions.assertThatThrownBy(
            () -> Lockkeeper.builder().namespace("other").connect(url).close())
        .isInstanceOfSatisfying(
            StoreRefusedException.class,
            refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED))
        .hasMessageNotContaining("PASSWORD");
  }
}
