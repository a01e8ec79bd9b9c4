package io.lockkeeper.cli.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.cli.CommandRun;
import io.lockkeeper.cli.CommandRun.Ended;
import io.lockkeeper.cli.console.ExitStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small tortures from end to end: real worker processes, real servers, real kills. */
class TortureRunTest {

  private static Ended torture(String... more) {
    String[] arguments = new String[more.length + 1];
    arguments[0] = "torture";
    System.arraycopy(more, 0, arguments, 1, more.length);
    Ended ended = CommandRun.of(arguments);
    System.out.println(ended.out());
    return ended;
  }

  @Test
  void redisKeepsItsPromisesWhileThingsBreak() {
    Ended ended = torture("--minutes", "0.2", "--processes", "2");

    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out()).contains("No promise was broken", "kill-server", "seed");
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"redis", "zookeeper", "postgresql", "mariadb", "sqlite"})
  void everyStoreKeepsItsPromisesWhileThingsBreak(String store) {
    Ended ended = torture("--store", store, "--minutes", "2");

    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
  }

  @Tag("slow")
  @Test
  void theMemoryStoreIsTorturedInsideThisProcess() {
    Ended ended = torture("--store", "memory", "--minutes", "0.1", "--threads", "2");

    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out()).contains("faults: none");
  }

  @Test
  void aFaultThatIsUnknownOrImpossibleIsRefused() {
    Ended unknown = torture("--store", "memory", "--faults", "flood");
    Ended impossible = torture("--store", "memory", "--faults", "kill-server");

    assertThat(unknown.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(unknown.err()).contains("flood", "kill-server", "half-open");
    assertThat(impossible.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(impossible.err()).contains("kill-server", "memory");
  }

  @Test
  void aTimeOutOfRangeIsRefused() {
    Ended ended = torture("--minutes", "0.01");

    assertThat(ended.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(ended.err()).contains("0.1 to 1440");
  }
}
