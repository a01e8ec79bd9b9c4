package io.lockkeeper.etcd;

import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.support.Answers;

/** Says what a failed request means to the engine. */
final class EtcdFailures {

  private EtcdFailures() {}

  /**
   * Returns the outcome of a request that failed.
   *
   * @param who the user, for messages
   * @param prefix what the user needs rights on
   */
  static <T> Outcome<T> outcome(Throwable failure, String who, String prefix) {
    Throwable cause = Answers.cause(failure);
    ErrorCode code = code(cause);
    String message = String.valueOf(cause.getMessage());
    if (code == null || isStaleLogin(message)) {
      return Outcome.unknown(cause);
    } else if (isLoginFailure(code, message)) {
      return denied(message, login(message, who));
    }
    return switch (code) {
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          denied(message, who + " needs readwrite on the keys that begin with " + prefix);
      case RESOURCE_EXHAUSTED ->
          message.contains("space exceeded")
              ? Outcome.refused(
                  StoreProblem.FULL,
                  "etcd's quota is used up (" + message + "): compact, defragment and disarm it")
              : Outcome.unknown(cause);
      case INVALID_ARGUMENT, OUT_OF_RANGE, UNIMPLEMENTED ->
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

  private static <T> Outcome<T> denied(String message, String demand) {
    return Outcome.refused(StoreProblem.DENIED, "etcd denies access (" + message + "): " + demand);
  }

  /**
   * A wrong password, and no login where there has to be one, are reported as invalid arguments.
   * The driver, which logs in by itself, keeps the servers' words to itself.
   */
  private static boolean isLoginFailure(ErrorCode code, String message) {
    if (code == ErrorCode.UNAUTHENTICATED) {
      return !message.contains("etcdserver");
    }
    return (code == ErrorCode.INVALID_ARGUMENT || code == ErrorCode.FAILED_PRECONDITION)
        && (message.contains("authentication") || message.contains("user name is empty"));
  }

  private static String login(String message, String who) {
    if (message.contains("user name is empty")) {
      return "the servers want a login, put it into the URL: etcd://user:password@host:port";
    }
    return message.contains("not enabled")
        ? "the servers know no users, take the user out of the URL"
        : "the login of " + who + " failed, put the right user and password into the URL";
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
