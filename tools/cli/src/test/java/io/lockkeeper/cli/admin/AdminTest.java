package io.lockkeeper.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.cli.CommandRun;
import io.lockkeeper.cli.CommandRun.Ended;
import io.lockkeeper.cli.console.ExitStatus;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people see of a store and do to it. */
class AdminTest {

  private final String url = "memory:" + UUID.randomUUID();
  private final InputStream in = System.in;
  private Lockkeeper billing;
  private Lockkeeper shipping;

  @BeforeEach
  void connect() {
    billing = Lockkeeper.builder().clientName("billing").connect(url);
    shipping = Lockkeeper.builder().clientName("shipping").connect(url);
  }

  @AfterEach
  void close() {
    billing.close();
    shipping.close();
    System.setIn(in);
  }

  private Ended run(String... arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--store";
    all[arguments.length + 1] = url;
    return CommandRun.of(all);
  }

  private void answer(String text) {
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void theListHasEverybodyWhoHoldsOrWaits() throws Exception {
    Lease lock = billing.lock("stock").acquire();
    CompletableFuture<Lease> waiting = shipping.lock("stock").acquireAsync().toCompletableFuture();
    billing.semaphore("printers", 3).acquire(2);
    shipping.readWriteLock("catalogue").readLock().acquire();
    awaitWaiter("stock");

    Ended ended = run("list");

    assertThat(ended.status()).isEqualTo(ExitStatus.OK);
    assertThat(ended.err()).isEmpty();
    String pid = Long.toString(ProcessHandle.current().pid());
    assertThat(ended.out())
        .containsPattern("NAME +KIND +STATE +CLIENT +HOST +PID +THREAD +FOR +TOKEN +LEASE LEFT")
        .containsPattern("stock +lock +holds +billing +\\S+ +" + pid + " .* " + lock.token())
        .containsPattern("stock +lock +waits, 1\\. +shipping +\\S+ +" + pid + " +\\? ")
        .containsPattern("printers +semaphore +holds +billing .* 2/3 ")
        .containsPattern("catalogue +read-write-lock +holds +shipping .* reader ");
    assertThat(run("list", "--prefix", "st").out()).contains("stock").doesNotContain("printers");
    assertThat(run("list", "--limit", "1").out()).contains("catalogue").doesNotContain("stock");
    assertThat(CommandRun.of("list", "--limit", "0").err()).contains("--limit must be at least 1");
    lock.release();
    waiting.get().release();
  }

  @Test
  void aLockThatRestsIsShownAndReleased() throws Exception {
    billing.lock("report").acquire().releaseAfter(Duration.ofHours(1));

    assertThat(run("list").out()).containsPattern("report +lock +rests +billing ");
    assertThat(run("show", "report", "--json").out()).containsPattern("\"resting\" *: *true");
    Ended ended = run("release", "report", "--yes");

    assertThat(ended.status()).isEqualTo(ExitStatus.OK);
    assertThat(billing.lock("report").tryLock()).isTrue();
    billing.lock("report").unlock();
  }

  @Test
  void countersValuesAndLatchesAreListedWithoutTheirSecrets() {
    billing.counter("orders").addAndGet(42);
    billing.sharedValue("pin").set("987654");

    assertThat(run("list", "--cells").out())
        .containsPattern("orders +counter +42 +2")
        .containsPattern("pin +shared value +- +6")
        .doesNotContain("987654");
    assertThat(run("list", "--cells", "--json", "--prefix", "o").out())
        .containsPattern("\"number\" *: *42")
        .doesNotContain("pin");
    assertThat(run("list", "--cells", "--prefix", "x").out()).startsWith("There are no counters");
  }

  private void awaitWaiter(String name) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !billing.admin().inspect(ResourceKind.LOCK, name).waiters().isEmpty());
  }

  @Test
  void anEmptyStoreIsSaidToBeThat() {
    assertThat(run("list").out())
        .isEqualTo(
            "Nobody holds or waits in the namespace 'lockkeeper' at "
                + url
                + ". The store has no other namespace."
                + System.lineSeparator());
    assertThat(run("list", "--json").out().strip()).isEqualTo("[ ]");
    Ended shown = run("show", "stock");
    assertThat(shown.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(shown.out())
        .contains(
            "Nobody holds or waits for 'stock' in the namespace 'lockkeeper' at " + url + ".");
    assertThat(run("release", "stock", "--yes").status()).isEqualTo(ExitStatus.FAILED);
  }

  @Test
  void theAnswerSaysInWhichNamespaceItLookedAndWhichThereAre() throws Exception {
    try (Lockkeeper shop = Lockkeeper.builder().namespace("shop").connect(url)) {
      shop.lock("stock").acquire();

      assertThat(run("list").out())
          .contains("in the namespace 'lockkeeper' at ", "--namespace: shop.");
      assertThat(run("release", "stock", "--yes").out()).contains("--namespace: shop.");
      assertThat(run("namespaces").out()).isEqualTo("shop" + System.lineSeparator());
      assertThat(run("list", "--namespace", "shop").out()).startsWith("Namespace 'shop':");
      billing.lock("own").acquire();
      assertThat(run("list", "--all-namespaces").out())
          .containsSubsequence("Namespace 'lockkeeper':", "own", "Namespace 'shop':", "stock");
      assertThat(run("list", "--all-namespaces", "--json").out())
          .containsPattern("\"namespace\" *: *\"shop\"");
    }
  }

  @Test
  void oneNameIsShownAsJson() throws Exception {
    Lease lock = billing.lock("stock").acquire();
    billing.lock("other").acquire();

    Ended ended = run("show", "stock", "--json");

    assertThat(ended.status()).isEqualTo(ExitStatus.OK);
    JsonNode all = new ObjectMapper().readTree(ended.out());
    assertThat(all).hasSize(1);
    JsonNode holder = all.at("/0/holders/0");
    assertThat(holder.at("/client").textValue()).isEqualTo("billing");
    assertThat(holder.at("/token").longValue()).isEqualTo(lock.token());
    assertThat(holder.at("/leaseLeftMillis").longValue()).isBetween(1L, 30_000L);
    assertThat(all.at("/0/kind").textValue()).isEqualTo("lock");
  }

  @Test
  void aReleaseIsAnnouncedAskedForAndDone() throws Exception {
    Lease lock = billing.lock("stock").acquire();
    answer("y\n");

    Ended ended = run("release", "stock");

    assertThat(ended.status()).as(ended.out()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out())
        .contains("with token " + lock.token() + " from billing")
        .contains("Nobody waits for it.", "Do it? [y/N]", "Taken from billing");
    assertThat(shipping.lock("stock").isLocked()).isFalse();
  }

  @Test
  void withoutAYesNothingIsReleased() throws Exception {
    billing.lock("stock").acquire();
    answer("\n");
    Ended no = run("release", "stock");
    answer("");
    Ended nobody = run("release", "stock");

    assertThat(no.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(no.out()).contains("Nothing was changed.");
    assertThat(nobody.out()).contains("There is nobody to answer; --yes");
    assertThat(shipping.lock("stock").isLocked()).isTrue();
  }

  @Test
  void oneOfSeveralHoldersIsReleased() throws Exception {
    Lease one = billing.semaphore("printers", 3).acquire();
    Lease two = billing.semaphore("printers", 3).acquire();
    shipping.semaphore("printers", 3).acquire();

    assertThat(run("release", "printers", "--yes", "--holder", "nobody").status())
        .isEqualTo(ExitStatus.FAILED);
    assertThat(run("release", "printers", "--yes", "--holder", Long.toString(two.token())).status())
        .isEqualTo(ExitStatus.OK);

    assertThat(shipping.admin().inspect(ResourceKind.SEMAPHORE, "printers").holders())
        .extracting(holder -> holder.client().name())
        .containsExactlyInAnyOrder("billing", "shipping");
    assertThat(one.isValid()).isTrue();
    assertThat(run("release", "printers", "--yes", "--kind", "semaphore").status())
        .isEqualTo(ExitStatus.OK);
    assertThat(shipping.admin().inspect(ResourceKind.SEMAPHORE, "printers").holders()).isEmpty();
  }

  @Test
  void wrongInputIsSaid() {
    assertThat(run("show").status()).isEqualTo(ExitStatus.USAGE);
    assertThat(run("show", "x", "--kind", "door").err())
        .contains("must be one of lock, read-write");
    assertThat(run("show", "a\tb").err()).contains("control characters");
    assertThat(CommandRun.of("list", "--store", "redis://:hunter2@127.0.0.1:1").status())
        .isEqualTo(ExitStatus.CANNOT_RUN);
  }
}
