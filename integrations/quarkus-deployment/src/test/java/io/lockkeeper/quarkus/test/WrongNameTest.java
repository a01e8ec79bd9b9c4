package io.lockkeeper.quarkus.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with a property that nothing reads. */
class WrongNameTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClass(StockService.class))
          .overrideConfigKey("lockkeeper.ulr", "memory:secret")
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasStackTraceContaining("lockkeeper.ulr in ")
                      .extracting(StackTraces::text)
                      .asString()
                      .doesNotContain("secret"));

  @Test
  void theStartFails() {
    throw new AssertionError("it has started");
  }
}
