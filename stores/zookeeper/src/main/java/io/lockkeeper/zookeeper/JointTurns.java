package io.lockkeeper.zookeeper;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
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
 * The requests of this client that wait for their turn at a resource. Those between which nothing
 * else was asked for share one turn, so that they can be carried out together: claims of a lock go
 * into the queue with one transaction, claims and releases of shared resources become one step.
 */
final class JointTurns {

  /** A request, and its answer to come. */
  sealed interface Member {

    ResourceId resource();

    /** Returns whether others may share a turn with it. */
    boolean shares();

    CompletableFuture<?> answer();

    default void fail(Throwable failure) {
      answer().completeExceptionally(failure);
    }
  }

  /** A claim. */
  record Claiming(ClaimRequest request, CompletableFuture<ClaimAnswer> answer) implements Member {

    Claiming(ClaimRequest request) {
      this(request, new CompletableFuture<>());
    }

    @Override
    public ResourceId resource() {
      return request.resource();
    }

    @Override
    public boolean shares() {
      return resource().isExclusive() ? request.queue() : areStepsShared(resource());
    }
  }

  /** A release. */
  record Releasing(ReleaseRequest request, CompletableFuture<ReleaseAnswer> answer)
      implements Member {

    Releasing(ReleaseRequest request) {
      this(request, new CompletableFuture<>());
    }

    @Override
    public ResourceId resource() {
      return request.resource();
    }

    @Override
    public boolean shares() {
      return areStepsShared(resource()) && request.owner() == null;
    }
  }

  /** Returns whether several requests for a resource may become one step. */
  static boolean areStepsShared(ResourceId id) {
    return !id.isExclusive() && id.kind() != ResourceKind.BARRIER;
  }

  /** The requests of one turn. */
  final class Group {

    private final ResourceId id;
    private final ReentrantLock mutex = new ReentrantLock();
    // Guarded by the mutex.
    private final List<Member> members = new ArrayList<>();
    private boolean hasBegun;

    private volatile @Nullable CompletableFuture<?> turn;

    private Group(Member first) {
      this.id = first.resource();
      members.add(first);
    }

    /**
     * Lets other requests join until it begins, as long as nothing is asked for behind it. The turn
     * ends with what tells those that have no answer yet; if it fails, so do they.
     */
    void waitsFor(CompletableFuture<Runnable> itsTurn) {
      turn = itsTurn;
      ZkFailures.unheard(
          itsTurn.whenComplete(
              (tell, failure) -> {
                if (failure != null) {
                  begin().forEach(member -> member.fail(failure));
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

    /** Begins if it is one claim only, and returns that or null. */
    @Nullable Claiming beginAlone() {
      mutex.lock();
      try {
        boolean isOne = members.size() == 1 && members.get(0) instanceof Claiming;
        return isOne ? (Claiming) begin().get(0) : null;
      } finally {
        mutex.unlock();
      }
    }

    /** Returns its requests in the order of asking; no other joins them any more. */
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

  /** The last group of each resource, as long as it has not begun. */
  private final Map<ResourceId, Group> groups = new ConcurrentHashMap<>();

  JointTurns(StepQueues turns) {
    this.turns = turns;
  }

  /**
   * Adds a request to those that were asked for just before it, and returns whether it may join.
   */
  boolean join(Member member) {
    Group open = groups.get(member.resource());
    return open != null && member.shares() && open.add(member);
  }

  /** Makes a group of a request; others may join it once its turn is known. */
  Group group(Member first) {
    Group group = new Group(first);
    if (first.shares()) {
      groups.put(group.id, group);
    }
    return group;
  }
}
