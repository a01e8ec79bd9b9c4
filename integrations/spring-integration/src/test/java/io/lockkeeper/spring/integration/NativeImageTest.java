package io.lockkeeper.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NativeImageTest {

  private static final String FILE =
      "/META-INF/native-image/io.lockkeeper/lockkeeper-spring-integration/reflect-config.json";

  /** Without it an image would take Spring Integration 7 for 6. */
  @Test
  void theTypeThatIsLookedForByItsNameIsNamed() throws Exception {
    try (InputStream file = NativeImageTest.class.getResourceAsStream(FILE)) {
      assertThat(file)
          .asString(StandardCharsets.UTF_8)
          .contains("\"" + RegistryLock.LOCK_WITH_TIME_TO_LIVE + "\"");
    }
  }
}
