package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * The end of a grant.
 *
 * @param resource its id
 * @param owner whose grant it is; null for the caller's own. Only permits of a semaphore can be
 *     another's
 * @param grant the grant's number
 * @param usedToken the largest token that was handed to a holder; the rest of the block may be
 *     given again. Of no meaning for what is shared
 * @param requeue a further claim of this client on the same resource, or null; always null for what
 *     is shared
 */
public record ReleaseRequest(
    String resource,
    @Nullable String owner,
    long grant,
    long usedToken,
    @Nullable ClaimRequest requeue) {

  /** Creates a request to end a grant of the caller. */
  public ReleaseRequest(
      String resource, long grant, long usedToken, @Nullable ClaimRequest requeue) {
    this(resource, null, grant, usedToken, requeue);
  }
}
