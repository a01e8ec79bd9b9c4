package io.lockkeeper.etcd;

import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.support.Answers;

/** Says what a failed request means to the engine. */
final class Failures {

  private Failures() {}

  /**
   * Returns the outcome of a request that failed.
   *
   * @param demand what to do if access is denied
   */
  static <T> Outcome<T> outcome(Throwable failure, String demand) {
    Throwable cause = Answers.cause(failure);
    ErrorCode code = code(cause);
    String message = String.valueOf(cause.getMessage());
    if (code == null || isStaleLogin(message)) {
      return Outcome.unknown(cause);
    }
    return switch (code) {
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          Outcome.refused(StoreProblem.DENIED, "etcd denies access (" + message + "): " + demand);
      case RESOURCE_EXHAUSTED ->
          message.contains("space exceeded")
              ? Outcome.refused(
                  StoreProblem.FULL,
                  "etcd's quota is used up (" + message + "): compact, defragment and disarm it")
              : Outcome.unknown(cause);
      case INVALID_ARGUMENT ->
          isDenial(message)
              ? Outcome.refused(
                  StoreProblem.DENIED, "etcd denies access (" + message + "): " + demand)
              : Outcome.refused(StoreProblem.OTHER, "etcd refuses: " + message);
      case OUT_OF_RANGE, UNIMPLEMENTED ->
          Outcome.refused(StoreProblem.OTHER, "etcd refuses: " + message);
      default -> Outcome.unknown(cause);
    };
  }

  /** Returns whether the driver has to log in anew: the server was restarted, or users changed. */
  private static boolean isStaleLogin(String message) {
    return message.contains("invalid auth token")
        || message.contains("revision of auth store is old");
  }

  /** Returns whether an answer was larger than the driver takes. */
  static boolean isTooLarge(Throwable failure) {
    Throwable cause = Answers.cause(failure);
    return code(cause) == ErrorCode.RESOURCE_EXHAUSTED
        && String.valueOf(cause.getMessage()).contains("exceeds maximum size");
  }

  /** A wrong password, and a login where there is none, come as arguments that are invalid. */
  private static boolean isDenial(String message) {
    return message.contains("authentication") || message.contains("user name is empty");
  }

  /** Returns whether a change failed because one of its leases has ended. Nothing was changed. */
  static boolean isLeaseOver(Throwable failure) {
    return code(Answers.cause(failure)) == ErrorCode.NOT_FOUND;
  }

  private static ErrorCode code(Throwable cause) {
    return cause instanceof EtcdException known
        ? known.getErrorCode()
        : cause instanceof io.grpc.StatusException
                || cause instanceof io.grpc.StatusRuntimeException
            ? EtcdExceptionFactory.toEtcdException(cause).getErrorCode()
            : ErrorCode.UNKNOWN;
  }
}
