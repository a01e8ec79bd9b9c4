package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.tck.Promise;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FromEnvironmentTest {

  private static final String URL = "memory:from-environment-test";

  @Test
  void variablesSayAllThatAClientIsSetTo() throws InterruptedException {
    Map<String, String> variables =
        Map.of(
            "LOCKKEEPER_URL", " memory:from-environment-test ",
            "LOCKKEEPER_NAMESPACE", "shop",
            "LOCKKEEPER_CLIENT_NAME", "till 1",
            "LOCKKEEPER_LEASE", "10s",
            "LOCKKEEPER_RENEWALINTERVAL", "2000ms",
            "LOCKKEEPER_STORE_TIMEOUT", "",
            "LOCKKEEPER_DEADLOCKS_BREAK_CYCLES", "true",
            "LOCKKEEPER_DEADLOCKS_CHECK", "1m",
            "LOCKKEEPER_LOCKS_CLEANUP2_LEASE", "5s",
            "LOCKKEEPER_LOCKS_CLEANUP2_MAX_LOCAL_HANDOFFS", "3");
    try (Lockkeeper keeper = Lockkeeper.fromEnvironment(variables);
        Lockkeeper same = Lockkeeper.builder().namespace("shop").connect(URL);
        Lease lease = keeper.lock("a").acquire();
        Lease ofCleanup = keeper.lock("cleanup2").acquire()) {
      assertThat(keeper.clientName()).isEqualTo("till 1");
      assertThat(same.lock("a").isLocked()).isTrue();
      assertThat(lease.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
      assertThat(ofCleanup.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }
  }

  @Test
  void whatIsNotOursIsNotLookedAt() {
    Map<String, String> variables =
        Map.of(
            "LOCKKEEPER_URL", URL,
            "PATH", "/bin",
            "lockkeeper_lease", "nothing",
            "LOCKKEEPER_SERVICE_HOST", "10.0.0.1",
            "LOCKKEEPER_SERVICE_PORT", "6379",
            "LOCKKEEPER_SERVICE_PORT_REDIS", "6379",
            "LOCKKEEPER_PORT", "tcp://10.0.0.1:6379",
            "LOCKKEEPER_PORT_6379_TCP", "tcp://10.0.0.1:6379",
            "LOCKKEEPER_PORT_6379_TCP_ADDR", "10.0.0.1");

    Lockkeeper.fromEnvironment(variables).close();
  }

  @Test
  void whatTheCommandLineTellsTheProgramsThatItRunsIsPassedOver() {
    Lockkeeper.fromEnvironment(
            Map.of(
                "LOCKKEEPER_URL", URL,
                "LOCKKEEPER_NAME", "job",
                "LOCKKEEPER_TOKEN", "17",
                "LOCKKEEPER_JAVA", "/usr/bin/java"))
        .close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          LEASE                          | 5 minutes | LOCKKEEPER_LEASE is '5 minutes': it must be a duration with a unit, such as 500ms
          RENEWAL_INTERVAL               | 20s       | LOCKKEEPER_RENEWAL_INTERVAL is '20s': renewalInterval must be at most half of the lease
          RENEWALINTERVAL                | 20s       | LOCKKEEPER_RENEWALINTERVAL is '20s': renewalInterval must be
          CONNECT                        | never     | LOCKKEEPER_CONNECT is 'never': it must be eager, lazy or background
          LOCKS_A_MAXLOCALHANDOFFS       | many      | LOCKKEEPER_LOCKS_A_MAXLOCALHANDOFFS is 'many': it must be a whole number
          LOCKS_A_LEESE                  | 1s        | LOCKKEEPER_LOCKS_A_LEESE is not known; it must be LOCKKEEPER_LOCKS_NAME_OPTION
          LOCKS_DAILY_REPORT_LEASE       | 1s        | LOCKKEEPER_LOCKS_DAILY_REPORT_LEASE is not known; it must be LOCKKEEPER_LOCKS_NAME_OPTION
          LEESE                          | 1s        | LOCKKEEPER_LEESE is not known; did you mean LOCKKEEPER_LEASE? Known are LOCKKEEPER_CLIENT_NAME, LOCKKEEPER_CONNECT,
          ANNOTATION_WAITTIME            | 1s        | LOCKKEEPER_ANNOTATION_WAITTIME is not known; it is a property of the Spring Boot starter only
          """)
  @Promise("N6")
  void whatCannotBeIsNamedWithWhatWouldBeRight(String variable, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Lockkeeper.fromEnvironment(
                    Map.of("LOCKKEEPER_URL", "nobody-knows:this", "LOCKKEEPER_" + variable, value)))
        .withMessageStartingWith(message);
  }

  @Test
  void oneSettingIsNotSaidTwice() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Lockkeeper.fromEnvironment(
                    Map.of(
                        "LOCKKEEPER_URL", URL,
                        "LOCKKEEPER_CLIENTNAME", "a",
                        "LOCKKEEPER_CLIENT_NAME", "b")))
        .withMessage(
            "LOCKKEEPER_CLIENTNAME and LOCKKEEPER_CLIENT_NAME are the same setting: give one of them");
  }

  @ParameterizedTest
  @ValueSource(strings = {"URL", "ULR", "PASSWORD", "STORE", "LOCKS_A_URL", "LOCKS_URL"})
  void noMessageContainsAPassword(String variable) {
    assertThatThrownBy(
            () ->
                Lockkeeper.fromEnvironment(
                    Map.of("LOCKKEEPER_" + variable, "nobody://:secret@host")))
        .hasMessageStartingWith("LOCKKEEPER_" + variable)
        .hasMessageNotContaining("secret");
  }

  @Test
  void withoutAUrlItSaysWhatIsMissing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.fromEnvironment(Map.of("LOCKKEEPER_URL", " ")))
        .withMessage(
            "LOCKKEEPER_URL is missing: the store's address, such as redis://localhost:6379");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.fromEnvironment(Map.of()))
        .withMessageStartingWith("LOCKKEEPER_URL is missing");
  }

  @Test
  void theProcesssOwnEnvironmentIsTheDefault() {
    assertThatIllegalArgumentException()
        .isThrownBy(Lockkeeper::fromEnvironment)
        .withMessageStartingWith("LOCKKEEPER_URL is missing");
  }
}
