package io.lockkeeper.engine.deadlock;

import io.lockkeeper.DeadlockMember;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.List;

/**
 * Represents a thread that holds something and has waited for something else for a while: only such
 * threads can be part of a deadlock.
 *
 * @param client the id of its client
 * @param clientName its name for people
 * @param breaks whether its wait may be ended to break a deadlock
 * @param thread the thread's number in its process
 * @param threadName its name for people
 * @param waitNumber tells this wait from others of the thread
 * @param waitedMillis for how long it has waited
 * @param arrival its place in the order of arrival: larger came later
 * @param resource the id of what it waits for
 * @param permits how many permits of that it wants
 * @param limit how many there are
 * @param told whether its client believes that it is in a circle, and has told of that
 * @param holds what it holds
 */
record Suspect(
    String client,
    String clientName,
    boolean breaks,
    long thread,
    String threadName,
    long waitNumber,
    long waitedMillis,
    long arrival,
    ResourceId resource,
    int permits,
    int limit,
    boolean told,
    List<Held> holds) {

  /**
   * Something that a thread holds.
   *
   * @param resource its id
   * @param token the token of this hold
   * @param permits how many permits of it
   */
  record Held(ResourceId resource, long token, int permits) {}

  /** Copies the list. */
  Suspect {
    holds = List.copyOf(holds);
  }

  /** Returns how many permits of a resource it holds. */
  long permitsOf(ResourceId wanted) {
    return holds.stream()
        .filter(held -> held.resource().equals(wanted))
        .mapToLong(Held::permits)
        .sum();
  }

  /** Returns what tells this wait from every other one of any client. */
  String key() {
    return client + ":" + thread + ":" + waitNumber;
  }

  /** Returns whether others learn nothing new from it: the same wait, with the same holds. */
  boolean isSameAs(Suspect other) {
    return key().equals(other.key()) && told == other.told && holds.equals(other.holds);
  }

  Suspect withLimit(int present) {
    return with(present, told);
  }

  Suspect withTold(boolean isTold) {
    return with(limit, isTold);
  }

  private Suspect with(int otherLimit, boolean isTold) {
    return new Suspect(
        client,
        clientName,
        breaks,
        thread,
        threadName,
        waitNumber,
        waitedMillis,
        arrival,
        resource,
        permits,
        otherLimit,
        isTold,
        holds);
  }

  DeadlockMember member() {
    return new DeadlockMember(
        clientName,
        threadName,
        resource.toString(),
        holds.stream().map(held -> held.resource().toString()).distinct().toList(),
        Duration.ofMillis(waitedMillis));
  }
}
