package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.support.Answers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.OpResult;
import org.jspecify.annotations.Nullable;

/** Says what a failed request means to the engine. */
final class ZkFailures {

  private ZkFailures() {}

  /** Returns the outcome of an operation that failed. */
  static <T> Outcome<T> outcome(Throwable failure) {
    Throwable cause = Answers.cause(failure);
    if (cause instanceof ForeignRecordException) {
      return Outcome.refused(StoreProblem.FOREIGN_RECORD, String.valueOf(cause.getMessage()));
    }
    if (cause instanceof DeniedException) {
      return Outcome.refused(StoreProblem.DENIED, String.valueOf(cause.getMessage()));
    }
    if (cause instanceof KeeperException keeper) {
      return switch (keeper.code()) {
        case AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
            Outcome.refused(StoreProblem.DENIED, "ZooKeeper denies access to " + keeper.getPath());
        case INVALIDACL ->
            Outcome.refused(StoreProblem.DENIED, "ZooKeeper refuses the access list");
        case QUOTAEXCEEDED ->
            Outcome.refused(StoreProblem.FULL, "the quota of " + keeper.getPath() + " is used up");
        case BADARGUMENTS, UNIMPLEMENTED ->
            Outcome.refused(StoreProblem.OTHER, "ZooKeeper refuses: " + keeper.getMessage());
        default -> Outcome.unknown(cause);
      };
    }
    return Outcome.unknown(cause);
  }

  /** Returns whether another client was quicker: to be decided anew on what is there now. */
  static boolean isConflict(Throwable failure) {
    return Answers.cause(failure) instanceof KeeperException keeper
        && switch (keeper.code()) {
          case BADVERSION, NODEEXISTS, NONODE, NOTEMPTY -> true;
          default -> false;
        };
  }

  /** Returns whether a check failed by a majority's decision, and not because none was heard of. */
  static boolean isAgreed(Throwable failure) {
    return isMissing(failure) || Answers.cause(failure) instanceof DeniedException;
  }

  /** Returns whether a node was not deleted because it has children: somebody waits there. */
  static boolean isNotEmpty(Throwable failure) {
    return Answers.cause(failure) instanceof KeeperException.NotEmptyException;
  }

  static boolean isMissing(@Nullable Throwable failure) {
    return failure != null && Answers.cause(failure) instanceof KeeperException.NoNodeException;
  }

  /** Says that nobody waits for this: should it fail, something else will make up for it. */
  static void unheard(CompletableFuture<?> nobodyWaits) {
    if (nobodyWaits.isCancelled()) {
      throw new IllegalStateException("nobody cancels what nobody waits for");
    }
  }

  /**
   * Returns the index of what went wrong first of several things in one step, or -1 if nothing did
   * or that is not known. Those that could have been done are reported as failed too.
   */
  static int firstFailed(@Nullable List<OpResult> results) {
    if (results == null) {
      return -1;
    }
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof OpResult.ErrorResult error
          && error.getErr() != KeeperException.Code.OK.intValue()
          && error.getErr() != KeeperException.Code.RUNTIMEINCONSISTENCY.intValue()) {
        return i;
      }
    }
    return -1;
  }

  /** A node holds something that this version of Lockkeeper did not write. */
  static final class ForeignRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ForeignRecordException(String path) {
      super("the node " + path + " holds something that this version of Lockkeeper did not write");
    }
  }

  /** The user lacks a permission; the message says which, and where. */
  static final class DeniedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DeniedException(String message) {
      super(message);
    }
  }
}
