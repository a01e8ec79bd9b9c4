package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * The end of grants against their holders' will.
 *
 * @param resource its id
 * @param owner whose grant is meant, or null for those of everybody
 * @param grant the number of the grant that is meant; of no meaning without an owner
 * @param token the largest first token of a grant that is meant. As tokens grow, a request that
 *     comes late or twice does not touch those who came after it was made
 */
public record ForceRequest(String resource, @Nullable String owner, long grant, long token) {

  /** Creates a request to end everybody's grants up to one with this first token. */
  public ForceRequest(String resource, long token) {
    this(resource, null, 0, token);
  }

  /** Returns whether a current grant is meant. */
  public boolean isAbout(String client, long number, long firstToken) {
    return firstToken <= token && (owner == null || (owner.equals(client) && grant == number));
  }
}
