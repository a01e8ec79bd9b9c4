package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.tck.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FromPropertiesTest {

  private static final String URL = "memory:from-properties-test";

  @TempDir private Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(
        directory.resolve("lockkeeper.properties"), text, StandardCharsets.ISO_8859_1);
  }

  @Test
  void aFileSaysAllThatAClientIsSetTo() throws IOException, InterruptedException {
    Path file =
        file(
            """
            # Trailing blanks are a slip of the hand.
            lockkeeper.url = memory:from-properties-test\s\s
            lockkeeper.namespace=shop
            lockkeeper.client-name=till 1
            lockkeeper.lease=10s
            lockkeeper.renewal-interval=2000ms
            lockkeeper.store-timeout=PT1M
            lockkeeper.connect=eager
            lockkeeper.deadlocks.detect=on
            lockkeeper.deadlocks.check=1m
            lockkeeper.deadlocks.break-cycles=TRUE
            lockkeeper.locks[*].reentrant=true
            lockkeeper.locks[stock\\:*].reentrant=no
            lockkeeper.locks[stock\\:*].lease=5s
            lockkeeper.locks.cleanup.confirmed-release=true
            lockkeeper.locks.cleanup.retention=
            lockkeeper.locks.cleanup.max-local-handoffs=3
            spring.application.name=of somebody else
            """);
    try (Lockkeeper keeper = Lockkeeper.fromProperties(file);
        Lockkeeper same = Lockkeeper.builder().namespace("shop").connect(URL);
        Lockkeeper other = Lockkeeper.connect(URL);
        Lease lease = keeper.lock("a").acquire();
        Lease ofStock = keeper.lock("stock:1").acquire()) {
      assertThat(keeper.clientName()).isEqualTo("till 1");
      assertThat(same.lock("a").isLocked()).isTrue();
      assertThat(other.lock("a").isLocked()).isFalse();
      assertThat(lease.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
      assertThat(ofStock.remaining()).isLessThan(Duration.ofSeconds(5));
    }
  }

  private static boolean entersAgain(DistributedLock lock) {
    lock.lock();
    try {
      if (lock.tryLock()) {
        lock.unlock();
        return true;
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Test
  void optionsFollowFromTheLongestPattern() {
    LockOptions once = LockOptions.defaults().withReentrant(false);
    try (Lockkeeper keeper =
        Lockkeeper.builder()
            .lockOptions("stock:*:eu", once)
            .lockOptions("stock:*", LockOptions.defaults())
            .lockOptions("(*", once)
            .connect(URL)) {
      assertThat(entersAgain(keeper.lock("stock:1:eu"))).isFalse();
      assertThat(entersAgain(keeper.fairLock("stock::eu"))).isFalse();
      assertThat(entersAgain(keeper.lock("(\u2028"))).isFalse();
      assertThat(entersAgain(keeper.lock("stock:1"))).isTrue();
      assertThat(entersAgain(keeper.lock("stock"))).isTrue();
      assertThat(entersAgain(keeper.lock("stock:1:eu", LockOptions.defaults())))
          .as("what is said with the call counts")
          .isTrue();
    }
  }

  @Test
  void propertiesCountWithTheirDefaults() {
    Properties defaults = new Properties();
    defaults.setProperty("lockkeeper.url", URL);
    Properties properties = new Properties(defaults);
    properties.setProperty("lockkeeper.client-name", "till 2");
    try (Lockkeeper keeper = Lockkeeper.fromProperties(properties)) {
      assertThat(keeper.clientName()).isEqualTo("till 2");
    }
    properties.put("lockkeeper.lease", 10);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.fromProperties(properties))
        .withMessage("lockkeeper.lease must be a text, is a java.lang.Integer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lease                         | 5 minutes | lockkeeper.lease is '5 minutes': it must be a duration with a unit, such as 500ms, 1.5s, 5m, 2h, 1d or PT30S
          lease                         | 99999999999999999999s | lockkeeper.lease is '99999999999999999999s': it must be a duration with a unit
          lease                         | 10        | lockkeeper.lease is '10': it must be a duration with a unit, such as 500ms
          lease                         | 10ms      | lockkeeper.lease is '10ms': a lease must be from 50 ms to 24 h, was 10 ms
          store-timeout                 | -1s       | lockkeeper.store-timeout is '-1s': it must be a duration with a unit
          store-timeout                 | 0         | lockkeeper.store-timeout is '0': storeTimeout must be positive
          renewal-interval              | 20s       | lockkeeper.renewal-interval is '20s': renewalInterval must be at most half of the lease (30s)
          deadlocks.check               | 1d        | lockkeeper.deadlocks.check is '1d': deadlockCheck must be from 100 milliseconds to 1 hour
          deadlocks.detect              | maybe     | lockkeeper.deadlocks.detect is 'maybe': it must be true or false
          connect                       | never     | lockkeeper.connect is 'never': it must be eager, lazy or background
          locks[a].max-local-handoffs   | many      | lockkeeper.locks[a].max-local-handoffs is 'many': it must be a whole number
          locks[a].max-local-handoffs   | 1001      | lockkeeper.locks[a].max-local-handoffs is '1001': maxLocalHandoffs must be from 0 to 1000
          locks[a].leese                | 1s        | lockkeeper.locks[a].leese is not known; the options of locks are confirmed-release, lease,
          locks[stock                   | *].lease=1s | lockkeeper.locks[stock is not known; it must be lockkeeper.locks[PATTERN].OPTION, where a properties file has \\: for a colon
          clientName                    | a         | lockkeeper.clientName is not known; did you mean lockkeeper.client-name? Known are url, client-name, connect,
          annotation.wait-time          | 1s        | lockkeeper.annotation.wait-time is not known; it is a property of the Spring Boot starter only
          """)
  @Promise("N6")
  void whatCannotBeIsNamedWithWhatWouldBeRight(String key, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Lockkeeper.fromProperties(
                    Map.of("lockkeeper.url", "nobody-knows:this", "lockkeeper." + key, value)))
        .withMessageStartingWith(message);
  }

  @Test
  void whatDoesNotFitTogetherIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Lockkeeper.fromProperties(
                    Map.of(
                        "lockkeeper.url", URL,
                        "lockkeeper.deadlocks.detect", "false",
                        "lockkeeper.deadlocks.break-cycles", "true")))
        .withMessage(
            "lockkeeper.deadlocks.break-cycles is 'true': breakDeadlocks needs deadlockDetection");
  }

  @ParameterizedTest
  @ValueSource(strings = {"url", "ulr", "password", "locks[a].url", "store"})
  void noMessageContainsAPassword(String key) {
    assertThatThrownBy(
            () -> Lockkeeper.fromProperties(Map.of("lockkeeper." + key, "nobody://:secret@host")))
        .hasMessageStartingWith("lockkeeper." + key)
        .hasMessageNotContaining("secret");
  }

  @Test
  void withoutAUrlOrAFileItSaysWhatIsMissing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.fromProperties(Map.of("lockkeeper.url", " ")))
        .withMessage(
            "lockkeeper.url is missing: the store's address, such as redis://localhost:6379");
    assertThatThrownBy(() -> Lockkeeper.fromProperties(directory.resolve("none.properties")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void withoutSnakeYamlItSaysWhatAYamlFileNeeds() throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), "lockkeeper.url: memory:a");

    assertThatIllegalStateException()
        .isThrownBy(() -> Lockkeeper.fromProperties(file))
        .withMessageContaining("add org.yaml:snakeyaml to the class path");
  }
}
