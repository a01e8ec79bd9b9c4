package io.lockkeeper.memory;

import io.lockkeeper.spi.ResourceId;
import java.util.List;

/**
 * One line of the server's journal: a grant at the moment of the decision.
 *
 * @param namespace the namespace of the resource
 * @param resource its id
 * @param clientId who got it
 * @param grant the grant's number
 * @param permits how many permits it has; 1 for a lock
 * @param firstToken the smallest token of its block
 * @param lastToken the largest
 * @param claims the claims it covers, in order
 * @param storeMicros the server's clock
 * @param fromQueue whether the claims had waited
 */
public record GrantRecord(
    String namespace,
    ResourceId resource,
    String clientId,
    long grant,
    int permits,
    long firstToken,
    long lastToken,
    List<Admitted> claims,
    long storeMicros,
    boolean fromQueue) {

  /** Copies the list. */
  public GrantRecord {
    claims = List.copyOf(claims);
  }

  /**
   * A claim that was admitted.
   *
   * @param claim its number
   * @param arrival its place in the order of arrival over all resources of the server
   */
  public record Admitted(long claim, long arrival) {}
}
