package io.lockkeeper.integration;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Here Kotlin's library is at hand. */
class SuspendingTest {

  @Test
  void aSuspendingFunctionIsRefused() throws Exception {
    Class<?> continuation = Class.forName("kotlin.coroutines.Continuation");
    assertThatThrownBy(
            () ->
                MethodLock.of(
                    getClass(),
                    "later",
                    "",
                    "",
                    "",
                    OnFailure.THROW,
                    List.of("result"),
                    List.of(continuation),
                    Object.class))
        .hasMessageStartingWith("@Locked method SuspendingTest.later is a suspending function");
  }
}
