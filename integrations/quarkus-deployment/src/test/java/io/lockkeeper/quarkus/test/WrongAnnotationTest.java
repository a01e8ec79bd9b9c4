package io.lockkeeper.quarkus.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.quarkus.Locked;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application whose annotations cannot be meant. */
class WrongAnnotationTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClasses(Wrong.class, WrongClass.class))
          .overrideConfigKey("lockkeeper.url", "memory:wrong")
          .assertException(
              failure ->
                  assertThat(StackTraces.text(failure))
                      .contains(
                          "WrongAnnotationTest.Wrong.parameter has the name 'stock:{sukk}'",
                          "WrongAnnotationTest.Wrong.later returns a Uni",
                          "WrongAnnotationTest.Wrong.unit has the waitTime '5'",
                          "Wrong.hidden is private or static",
                          "@Locked belongs on a method, and is on "));

  @Singleton
  static class Wrong {

    @Locked("stock:{sukk}")
    void parameter(String sku) {}

    @Locked
    Uni<String> later() {
      return Uni.createFrom().nothing();
    }

    @Locked(waitTime = "5")
    void unit() {}

    @Locked
    static void hidden() {}
  }

  @Locked
  @Singleton
  static class WrongClass {}

  @Test
  void theBuildFails() {
    throw new AssertionError("it has started");
  }
}
