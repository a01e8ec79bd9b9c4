package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The claims of this client that wait for their turn at a lock. Those between which nothing else
 * was asked for share one turn, so that they can go into the queue together: a batch that was
 * served comes back as one transaction, and not as one after the other.
 */
final class JointClaims {

  /** A claim, and its answer to come. */
  record Member(ClaimRequest request, CompletableFuture<ClaimAnswer> answer) {

    Member(ClaimRequest request) {
      this(request, new CompletableFuture<>());
    }

    long claim() {
      return request.claim();
    }

    /** Answers as something else has ended. */
    void end(@Nullable ClaimAnswer value, @Nullable Throwable failure) {
      if (failure != null) {
        answer.completeExceptionally(failure);
      } else if (value != null) {
        answer.complete(value);
      }
    }
  }

  /** The claims of one turn. */
  final class Group {

    private final ResourceId id;
    private final ReentrantLock mutex = new ReentrantLock();
    // Guarded by the mutex.
    private final List<Member> members = new ArrayList<>();
    private boolean hasBegun;

    private volatile @Nullable CompletableFuture<?> turn;

    private Group(Member first) {
      this.id = first.request.resource();
      members.add(first);
    }

    /**
     * Lets other claims join until it begins, as long as nothing is asked for behind it. The turn
     * ends with what tells those that have no answer yet; if it fails, so do they.
     */
    void waitsFor(CompletableFuture<Runnable> itsTurn) {
      turn = itsTurn;
      Failures.unheard(
          itsTurn.whenComplete(
              (tell, failure) -> {
                if (failure != null) {
                  begin().forEach(member -> member.end(null, failure));
                } else {
                  tell.run();
                }
              }));
    }

    private boolean add(Member member) {
      CompletableFuture<?> own = turn;
      mutex.lock();
      try {
        boolean joins =
            !hasBegun && members.size() < Store.MAX_BATCH && own != null && turns.isLast(id, own);
        if (joins) {
          members.add(member);
        }
        return joins;
      } finally {
        mutex.unlock();
      }
    }

    /** Begins if it has one claim only, and returns that or null. */
    @Nullable Member beginAlone() {
      mutex.lock();
      try {
        return members.size() == 1 ? begin().get(0) : null;
      } finally {
        mutex.unlock();
      }
    }

    /** Returns its claims in the order of asking; no other joins them any more. */
    List<Member> begin() {
      mutex.lock();
      try {
        hasBegun = true;
        groups.remove(id, this);
        return List.copyOf(members);
      } finally {
        mutex.unlock();
      }
    }
  }

  private final StepQueues turns;

  /** The last group of each lock, as long as it has not begun. */
  private final Map<ResourceId, Group> groups = new ConcurrentHashMap<>();

  JointClaims(StepQueues turns) {
    this.turns = turns;
  }

  /** Adds a claim to those that were asked for just before it, and returns whether it may join. */
  boolean join(Member member) {
    Group open = groups.get(member.request.resource());
    return open != null && member.request.queue() && open.add(member);
  }

  /** Makes a group of a claim; others may join it once its turn is known. */
  Group group(Member first) {
    Group group = new Group(first);
    if (group.id.isExclusive() && first.request.queue()) {
      groups.put(group.id, group);
    }
    return group;
  }
}
