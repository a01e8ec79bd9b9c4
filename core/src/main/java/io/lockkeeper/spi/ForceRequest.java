package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * A request to revoke grants by force.
 *
 * @param resource its id
 * @param owner the client whose grant is to be revoked, or null for the grants of all clients
 * @param grant the number of that grant; ignored without an owner
 * @param token revokes only grants whose first token is at most this one. As tokens grow, a request
 *     that arrives late or twice does not affect holders that came after it was made
 */
public record ForceRequest(ResourceId resource, @Nullable String owner, long grant, long token) {

  /**
   * Creates a request to revoke the grants of all clients whose first token is at most this one.
   */
  public ForceRequest(ResourceId resource, long token) {
    this(resource, null, 0, token);
  }

  /** Returns whether the request is about a current grant. */
  public boolean isAbout(String client, long number, long firstToken) {
    return firstToken <= token && (owner == null || (owner.equals(client) && grant == number));
  }
}
