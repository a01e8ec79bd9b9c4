package io.lockkeeper.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.SpringVersion;

@Tag("versions")
class GuideTest {

  @Test
  void whatTheGuideShowsIsCompiled() throws IOException {
    assertThat(Files.readString(Path.of("../docs/guide/spring-integration.md")))
        .contains("return new LockkeeperLockRegistry(keeper, \"orders\");");
  }

  @Test
  void theVersionThatIsTestedIsTheOneThatIsMeantAndItsLocksAreWhatItKnows() {
    String spring = System.getProperty("lockkeeper.test.spring", "7.");
    assertThat(SpringVersion.getVersion()).startsWith(spring);
    try (Lockkeeper keeper = Lockkeeper.connect("memory:registry-versions")) {
      boolean isTimed =
          java.util.Arrays.stream(
                  new LockkeeperLockRegistry(keeper, "orders")
                      .obtain("a")
                      .getClass()
                      .getInterfaces())
              .anyMatch(type -> type.getSimpleName().equals("DistributedLock"));
      assertThat(isTimed).isEqualTo(spring.equals("7."));
    }
  }
}
