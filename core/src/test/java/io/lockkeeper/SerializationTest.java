package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An exception that was sent to another process says there what it says here. */
class SerializationTest {

  private static final LeaseLost LOSS =
      new LeaseLost(ResourceKind.LOCK, "a", 7, LeaseLost.Reason.EXPIRED);

  static Stream<LockkeeperException> exceptions() {
    return Stream.of(
        new AcquireTimeoutException("a"),
        new DeadlockException(
            "a",
            List.of(
                new DeadlockMember("c", "t", "lock 'a'", List.of("lock 'b'"), Duration.ZERO),
                new DeadlockMember("d", "u", "lock 'b'", List.of("lock 'a'"), Duration.ZERO))),
        new LatchDeletedException("a"),
        new LeaseLostException(LOSS),
        new LockkeeperClosedException("a"),
        new StaleTokenException(ResourceKind.LOCK, "a", 1, 2),
        new StoreRefusedException(StoreProblem.FULL, "a"),
        new StoreUnavailableException("a", new IOException("b")));
  }

  @ParameterizedTest
  @MethodSource("exceptions")
  void anExceptionIsTheSameAfterItsTransport(LockkeeperException sent) throws Exception {
    LockkeeperException received = transported(sent);

    assertThat(received)
        .usingRecursiveComparison()
        .ignoringFields("stackTrace", "cause.stackTrace")
        .isEqualTo(sent);
    if (sent instanceof DeadlockException deadlock) {
      assertThat(((DeadlockException) received).cycle()).hasSize(2).isEqualTo(deadlock.cycle());
    }
  }

  private static LockkeeperException transported(LockkeeperException sent) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sent);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (LockkeeperException) in.readObject();
    }
  }
}
