package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * The end of a grant.
 *
 * @param resource its id
 * @param owner whose grant it is; null for the caller's own. Only permits of a semaphore can be
 *     another's
 * @param grant the grant's number
 * @param usedToken the largest token that was handed to a holder, or the one before the first if
 *     none was; the rest of the block may be given again. It also tells grants of one number apart:
 *     see {@link #isAbout}. {@link #UNKNOWN} if the caller does not know. Of no meaning for what is
 *     shared
 * @param requeue a further claim of this client on the same resource, or null; always null for what
 *     is shared
 */
public record ReleaseRequest(
    String resource,
    @Nullable String owner,
    long grant,
    long usedToken,
    @Nullable ClaimRequest requeue) {

  /** In place of a used token: whichever grant has the number now is meant, with no token used. */
  public static final long UNKNOWN = -1;

  /**
   * Returns whether it is about a grant of this number with this first token, and not about one
   * before it. A claim whose grant has expired may come again in a late copy, and be granted again;
   * then a late release of the earlier grant must not end the later one, which may cover other
   * claims too.
   */
  public boolean isAbout(long firstToken) {
    return usedToken == UNKNOWN || usedToken >= firstToken - 1;
  }

  /** Creates a request to end a grant of the caller. */
  public ReleaseRequest(
      String resource, long grant, long usedToken, @Nullable ClaimRequest requeue) {
    this(resource, null, grant, usedToken, requeue);
  }
}
