package io.lockkeeper.compose;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.MultiLock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Makes multi-locks: checks the members and brings them into the order that is the same for all.
 */
public final class MultiLocks {

  private static final Comparator<Member> ORDER =
      Comparator.comparing((Member member) -> member.lock().name()).thenComparing(Member::place);

  private MultiLocks() {}

  /**
   * A lock in a multi-lock.
   *
   * @param lock the lock
   * @param host its client
   * @param place where it is
   * @param side which side of its resource it is
   * @param index its place in {@link MultiLock#locks()}
   */
  record Member(
      DistributedLock lock,
      StoreBoundLock placed,
      Host host,
      String place,
      String side,
      int index) {

    boolean isSameResource(Member other) {
      return lock.name().equals(other.lock.name()) && place.equals(other.place);
    }
  }

  /**
   * Makes one lock of several; one that is there twice counts once.
   *
   * @throws IllegalArgumentException if there is none, if one was not made by this library, or if
   *     two are the same resource through two clients, or both sides of a read-write lock
   */
  public static MultiLock of(Collection<? extends DistributedLock> locks) {
    List<Member> members = new ArrayList<>();
    for (DistributedLock lock : locks) {
      Objects.requireNonNull(lock, "lock");
      if (!(lock instanceof StoreBoundLock placed)) {
        throw new IllegalArgumentException(
            "'" + lock.name() + "' is not a lock of this library: " + lock.getClass().getName());
      }
      Member member =
          new Member(lock, placed, placed.host(), placed.place(), placed.side(), members.size());
      if (isNew(member, members)) {
        members.add(member);
      }
    }
    if (members.isEmpty()) {
      throw new IllegalArgumentException("a multi-lock needs at least one lock");
    }
    List<Member> ordered = new ArrayList<>(members);
    ordered.sort(ORDER);
    return new MultiLockView(members.stream().map(Member::lock).toList(), List.copyOf(ordered));
  }

  private static boolean isNew(Member member, List<Member> others) {
    for (Member other : others) {
      if (member.isSameResource(other)) {
        if (member.host() != other.host()) {
          throw new IllegalArgumentException(
              "'"
                  + member.lock().name()
                  + "' is there twice, through two clients, which would wait for each other: "
                  + member.place());
        }
        if (!member.side().equals(other.side())) {
          throw new IllegalArgumentException(
              "'" + member.lock().name() + "' is there twice, as both sides of one lock");
        }
        return false;
      }
    }
    return true;
  }
}
