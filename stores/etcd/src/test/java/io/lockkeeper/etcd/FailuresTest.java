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
    return EtcdFailures.outcome(failure(code, message), "user 'app'", "lockkeeper/");
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
    "PERMISSION_DENIED, etcdserver: permission denied, needs readwrite",
    "UNAUTHENTICATED, etcdserver: unauthenticated, needs readwrite",
    "UNAUTHENTICATED, UNAUTHENTICATED, login of user 'app' failed",
    "INVALID_ARGUMENT, 'etcdserver: authentication failed, invalid user ID or password', login of"
        + " user 'app' failed",
    "INVALID_ARGUMENT, etcdserver: user name is empty, want a login",
    "FAILED_PRECONDITION, etcdserver: authentication is not enabled, know no users"
  })
  void aDenialSaysWhatIsMissing(ErrorCode code, String message, String demand) {
    assertThat(outcome(code, message))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> {
              assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED);
              assertThat(refused.message()).contains(demand);
            });
  }

  @Test
  void anAnswerThatIsTooLargeIsToldFromAQuotaThatIsUsedUp() {
    assertThat(
            EtcdFailures.isTooLarge(
                failure(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "gRPC message exceeds maximum size 4194304: 5242880")))
        .isTrue();
    assertThat(
            EtcdFailures.isTooLarge(
                failure(ErrorCode.RESOURCE_EXHAUSTED, "etcdserver: mvcc: database space exceeded")))
        .isFalse();
  }
}
