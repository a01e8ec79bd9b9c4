package io.lockkeeper.quarkus.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with a URL that no store knows. */
class WrongUrlTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClass(StockService.class))
          .overrideConfigKey("lockkeeper.url", "reddis://:secret@host")
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasStackTraceContaining(
                          "lockkeeper.url: no store knows the URL scheme 'reddis'")
                      .extracting(StackTraces::text)
                      .asString()
                      .doesNotContain("secret"));

  @Test
  void theStartFails() {
    throw new AssertionError("it has started");
  }
}
