package io.lockkeeper.memory;

import io.lockkeeper.spi.ResourceId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource as the server has it at one moment.
 *
 * @param namespace its namespace
 * @param resource its id
 * @param holders the grants; some may be over and not yet noticed. A lock has at most one
 * @param queue the waiting claims in order of arrival; some may be dead and not yet noticed
 * @param heartbeats how many clients have a heartbeat here
 * @param lastToken the largest token given so far
 */
public record ResourceState(
    String namespace,
    ResourceId resource,
    List<HolderState> holders,
    List<WaitingState> queue,
    int heartbeats,
    long lastToken) {

  /** Copies the lists. */
  public ResourceState {
    holders = List.copyOf(holders);
    queue = List.copyOf(queue);
  }

  /** Returns the first grant, or null if there is none. */
  public @Nullable HolderState holder() {
    return holders.isEmpty() ? null : holders.get(0);
  }

  /** Returns whether a grant that is not over, or a claim that is alive, is here. */
  public boolean isAlive() {
    return holders.stream().anyMatch(holder -> holder.remainingMicros() > 0)
        || queue.stream().anyMatch(WaitingState::live);
  }

  /**
   * A grant.
   *
   * @param clientId whose it is
   * @param grant its number
   * @param permits how many permits it has; 1 for a lock
   * @param claims the claims it still covers
   * @param firstToken the smallest token of its block
   * @param lastToken the largest
   * @param remainingMicros how long it still lasts; zero or less if it is over
   * @param confirmed whether it has had its full lease
   */
  public record HolderState(
      String clientId,
      long grant,
      int permits,
      List<Long> claims,
      long firstToken,
      long lastToken,
      long remainingMicros,
      boolean confirmed) {

    /** Copies the list. */
    public HolderState {
      claims = List.copyOf(claims);
    }
  }

  /**
   * A waiting claim.
   *
   * @param clientId whose it is
   * @param claim its number
   * @param arrival its place in the order of arrival
   * @param live whether its client has been heard of lately
   */
  public record WaitingState(String clientId, long claim, long arrival, boolean live) {}
}
