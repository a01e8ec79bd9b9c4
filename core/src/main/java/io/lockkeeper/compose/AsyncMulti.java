package io.lockkeeper.compose;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.MultiLease;
import io.lockkeeper.compose.MultiLocks.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous acquisition of several locks, one after another. There is one step at a time:
 * each begins when the one before has been answered, so its fields need no lock.
 */
final class AsyncMulti {

  private final MultiLockView lock;
  private final List<Member> members;
  private final Deadline wait;
  private final @Nullable Duration lease;
  private final CompletableFuture<MultiLease> result = new CompletableFuture<>();
  private final List<LeaseParts.Part> parts = new ArrayList<>();

  /** The request under way, for who cancels the whole. */
  private volatile @Nullable CompletableFuture<Lease> asked;

  AsyncMulti(MultiLockView lock, List<Member> members, Deadline wait, @Nullable Duration lease) {
    this.lock = lock;
    this.members = members;
    this.wait = wait;
    this.lease = lease;
  }

  CompletableFuture<MultiLease> begin() {
    CompletionStage<MultiLease> stage = result;
    stage.exceptionally(
        failure -> {
          cancelAsked(); // cancelled by the caller, or over anyway
          return null;
        });
    next();
    return result;
  }

  private void cancelAsked() {
    CompletableFuture<Lease> request = asked;
    if (request != null) {
      request.cancel(false);
    }
  }

  private void next() {
    if (parts.size() == members.size()) {
      complete();
      return;
    }
    if (wait.isOver()) {
      fail(lock.timedOut(wait));
      return;
    }
    Member member = members.get(parts.size());
    AcquireOptions options = AcquireOptions.defaults();
    CompletableFuture<Lease> request =
        member
            .lock()
            .acquireAsync(wait.isUnlimited() ? options : options.withWait(wait.left()))
            .toCompletableFuture();
    asked = request;
    if (result.isDone()) {
      request.cancel(false);
    }
    CompletionStage<Lease> stage = request;
    stage.whenComplete(
        (granted, failure) -> {
          try {
            answered(member, granted, failure);
          } catch (Throwable broken) { // an error too: somebody waits for the result
            fail(broken);
          }
        });
  }

  private void answered(Member member, @Nullable Lease granted, @Nullable Throwable failure) {
    if (granted == null) {
      fail(failure == null ? lock.timedOut(wait) : failure);
      return;
    }
    parts.add(new LeaseParts.Part(granted, member.index(), true));
    if (result.isDone()) {
      MultiLockView.giveBack(parts);
    } else {
      next();
    }
  }

  private void complete() {
    LeaseParts bundle = lock.bundle(parts, lease);
    if (bundle.settle() != null) {
      parts.clear(); // the first was lost while the last was waited for
      next();
    } else if (!result.complete(bundle) && bundle.end()) {
      MultiLockView.giveBack(parts);
    }
  }

  private void fail(Throwable failure) {
    MultiLockView.giveBack(parts);
    boolean isWrapped = failure instanceof CompletionException && failure.getCause() != null;
    result.completeExceptionally(isWrapped ? failure.getCause() : failure);
  }
}
