package io.lockkeeper.quarkus.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with a time without a unit. */
class WrongValueTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClass(StockService.class))
          .overrideConfigKey("lockkeeper.url", "memory:secret")
          .overrideConfigKey("lockkeeper.store-timeout", "10")
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasStackTraceContaining(
                          "lockkeeper.store-timeout is '10': it must be a duration with a unit, such as 500ms")
                      .extracting(StackTraces::text)
                      .asString()
                      .doesNotContain("secret"));

  @Test
  void theStartFails() {
    throw new AssertionError("it has started");
  }
}
