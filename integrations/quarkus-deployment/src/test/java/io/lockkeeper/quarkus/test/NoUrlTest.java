package io.lockkeeper.quarkus.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application that does not say where the locks are. */
class NoUrlTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClass(StockService.class))
          .overrideConfigKey("lockkeeper.lease", "10s")
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasStackTraceContaining("lockkeeper.url is missing: the store's address")
                      .extracting(StackTraces::text)
                      .asString()
                      .doesNotContain("secret"));

  @Test
  void theStartFails() {
    throw new AssertionError("it has started");
  }
}
