package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.FileSystemResource;

/** The core reads a YAML file as Spring Boot does. */
class YamlFileTest {

  private static final String YAML =
      """
      spring:
        application.name: of somebody else
        profiles: [a, b]
      lockkeeper:
        url: memory:yaml-file-test
        namespace: shop
        client-name: 'till 1'
        lease: 10s
        renewal-interval: 2000ms
        deadlocks:
          detect: on
          check: ~
        locks:
          "[stock:*]":
            reentrant: no
            lease: 5s
          cleanup:
            max-local-handoffs: 3
      """;

  @TempDir private Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("lockkeeper.yml"), text);
  }

  @Test
  void aFileSaysAllThatAClientIsSetTo() throws IOException, InterruptedException {
    try (Lockkeeper keeper = Lockkeeper.fromProperties(file(YAML));
        Lease lease = keeper.lock("stock:1").acquire()) {
      assertThat(keeper.clientName()).isEqualTo("till 1");
      assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }
  }

  @Test
  void bootHasTheSameNames() throws IOException {
    EnumerablePropertySource<?> boot =
        (EnumerablePropertySource<?>)
            new YamlPropertySourceLoader().load("test", new FileSystemResource(file(YAML))).get(0);
    Map<String, String> properties = new TreeMap<>();
    for (String name : boot.getPropertyNames()) {
      properties.put(name, String.valueOf(boot.getProperty(name)));
    }

    try (Lockkeeper keeper = Lockkeeper.fromProperties(properties)) {
      assertThat(keeper.clientName()).isEqualTo("till 1");
    }
  }

  @Test
  void anEmptyFileSaysWhatIsMissing() throws IOException {
    Path file = file("# nothing\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.fromProperties(file))
        .withMessageStartingWith("lockkeeper.url is missing");
  }

  @Test
  void whatIsNoYamlIsSaidWithItsLineAndWithoutWhatStandsThere() throws IOException {
    Path file = file("lockkeeper:\n  url: \"redis://:secret@host\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.fromProperties(file))
        .withMessageContaining("is no YAML: line 3")
        .withMessageNotContaining("secret")
        .withNoCause();
  }

  @Test
  void aListIsNamed() throws IOException {
    Path file = file("lockkeeper:\n  url: [a, b]\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.fromProperties(file))
        .withMessage("lockkeeper.url must be a text, is a list");
  }

  @Test
  void whatContainsItselfEnds() throws IOException {
    Path file = file("lockkeeper: &a\n  again: *a\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.fromProperties(file))
        .withMessageEndingWith("has more than 20 levels");
  }
}
