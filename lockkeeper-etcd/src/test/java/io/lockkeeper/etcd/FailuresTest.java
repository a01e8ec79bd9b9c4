package io.lockkeeper.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {

  private static EtcdException failure(ErrorCode code, String message) {
    return EtcdExceptionFactory.newEtcdException(code, message);
  }

  private static Outcome<String> outcome(ErrorCode code, String message) {
    return Failures.outcome(failure(code, message), "readwrite is needed");
  }

  /** A server that was restarted knows no login; the driver logs in anew. */
  @ParameterizedTest
  @CsvSource({
    "UNAUTHENTICATED, etcdserver: invalid auth token",
    "INVALID_ARGUMENT, etcdserver: revision of auth store is old"
  })
  void aLoginThatIsTooOldIsAskedAgain(ErrorCode code, String message) {
    assertThat(outcome(code, message)).isInstanceOf(Outcome.Unknown.class);
  }

  @ParameterizedTest
  @CsvSource({
    "PERMISSION_DENIED, etcdserver: permission denied",
    "UNAUTHENTICATED, etcdserver: unauthenticated",
    "INVALID_ARGUMENT, 'etcdserver: authentication failed, invalid user ID or password'",
    "INVALID_ARGUMENT, etcdserver: user name is empty"
  })
  void whoIsDeniedIsRefused(ErrorCode code, String message) {
    assertThat(outcome(code, message))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED));
  }

  @Test
  void anAnswerThatIsTooLargeIsToldFromAQuotaThatIsUsedUp() {
    assertThat(
            Failures.isTooLarge(
                failure(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "gRPC message exceeds maximum size 4194304: 5242880")))
        .isTrue();
    assertThat(
            Failures.isTooLarge(
                failure(ErrorCode.RESOURCE_EXHAUSTED, "etcdserver: mvcc: database space exceeded")))
        .isFalse();
  }
}
