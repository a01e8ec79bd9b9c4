package io.lockkeeper.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.lab.CommandRun;
import io.lockkeeper.lab.CommandRun.Ended;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Small tortures from end to end: real worker processes, real servers, real kills. */
class TortureRunTest {

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));

  private static final String STANDBY = "postgresql-standby";
  private static final String ETCD_ENSEMBLE = "etcd-ensemble";
  private static final String ZOOKEEPER_ENSEMBLE = "zookeeper-ensemble";
  private static final String POOLER = "postgresql-pgbouncer";

  /** Of stores whose other faults a short run has no time for. */
  private static final Map<String, String> FAULTS =
      Map.of(
          STANDBY,
          "kill-server,fail-over,stale-fail-over",
          ETCD_ENSEMBLE,
          "compact,revoke-leases,cut",
          ZOOKEEPER_ENSEMBLE,
          "silent-server,silent-link,cut",
          "postgresql",
          "kill-server,freeze-client,read-only,search-path",
          POOLER,
          "kill-pooler,pause-pooler,kill-client",
          "mariadb",
          "kill-server,freeze-client,read-only,cut");

  /** How many stores share the machine at a time. */
  private static final int SIDE_BY_SIDE = 5;

  private static final Executor RUNNER =
      Executors.newFixedThreadPool(
          SIDE_BY_SIDE,
          task -> {
            Thread thread = new Thread(task, "short-torture");
            thread.setDaemon(true);
            return thread;
          });

  private static Ended torture(String... more) {
    String[] arguments = new String[more.length + 1];
    arguments[0] = "torture";
    System.arraycopy(more, 0, arguments, 1, more.length);
    Ended ended = CommandRun.of(arguments);
    System.out.println(ended.out());
    return ended;
  }

  /**
   * Side by side, and slowly, because most of a short run is waiting for leases to end; with
   * patience, because several share the machine.
   */
  @Tag("full")
  @ParameterizedTest
  @MethodSource("shortRuns")
  void everyStoreKeepsItsPromisesWhileThingsBreakForAMoment(
      String store, CompletableFuture<Ended> run) {
    Ended ended = run.join();

    assumeTrue(IS_CI || !ended.err().contains("cannot start " + store), ended.err());
    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out()).contains("No promise was broken", "Faults: ", "seed");
  }

  static List<Arguments> shortRuns() {
    return Stream.of(
            "redis",
            "zookeeper",
            ZOOKEEPER_ENSEMBLE,
            "etcd",
            ETCD_ENSEMBLE,
            "postgresql",
            POOLER,
            STANDBY,
            "mariadb",
            "sqlite")
        .map(
            store -> arguments(store, CompletableFuture.supplyAsync(() -> shortRun(store), RUNNER)))
        .toList();
  }

  private static Ended shortRun(String store) {
    List<String> arguments =
        new ArrayList<>(List.of("--store", store, "--processes", "2", "--threads", "3", "--rate"));
    arguments.addAll(List.of("60", "--minutes", store.startsWith("zookeeper") ? "0.5" : "0.31"));
    arguments.addAll(List.of("--patience", "6"));
    if (FAULTS.containsKey(store)) {
      arguments.addAll(List.of("--faults", FAULTS.get(store)));
    }
    return torture(arguments.toArray(String[]::new));
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis",
        "redis-sentinel?replicas=2",
        "redis-cluster?replicas=1",
        "zookeeper",
        ZOOKEEPER_ENSEMBLE,
        "etcd",
        ETCD_ENSEMBLE,
        "postgresql",
        POOLER,
        STANDBY + "?lockkeeper.replication=synchronous",
        "mariadb",
        "mysql",
        "sqlite"
      })
  void everyStoreKeepsItsPromisesWhileThingsBreak(String store) {
    Ended ended = torture("--store", store, "--minutes", "2");

    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out()).doesNotContain("Not promised here");
  }

  /** What the replicas had not heard of is forgotten; the guarded register is safe all the same. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"redis-sentinel", "redis-cluster"})
  void aFailoverThatNobodyWaitsForForgetsAndThatIsSaid(String store) {
    Ended ended = torture("--store", store, "--minutes", "2", "--faults", "stale-fail-over");

    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out()).contains("Not promised here");
  }

  @Test
  void aFaultThatIsUnknownOrImpossibleIsRefused() {
    Ended unknown = torture("--store", "sqlite", "--faults", "flood");
    Ended impossible = torture("--store", "sqlite", "--faults", "kill-server");
    Ended alone = torture("--store", "sqlite", "--faults", "partition");
    Ended without = torture("--store", "sqlite", "--faults", "revoke-leases,compact");
    Ended ofOthers = torture("--store", "sqlite", "--faults", "search-path");

    assertThat(unknown.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(unknown.err()).contains("flood", "kill-server", "half-open");
    assertThat(impossible.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(impossible.err()).contains("kill-server", "sqlite");
    assertThat(alone.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(alone.err()).contains("partition", "sqlite");
    assertThat(without.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(without.err()).contains("revoke-leases", "sqlite");
    assertThat(ofOthers.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(ofOthers.err()).contains("search-path", "sqlite");
  }

  @Test
  void aStoreInMemoryIsRefused() {
    Ended ended = torture("--store", "memory:mine");

    assertThat(ended.status()).isEqualTo(ExitStatus.CANNOT_RUN);
    assertThat(ended.err()).contains("of its own");
  }

  @Test
  void aTimeOutOfRangeIsRefused() {
    Ended ended = torture("--minutes", "0.01");

    assertThat(ended.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(ended.err()).contains("0.1 to 1440");
  }
}
