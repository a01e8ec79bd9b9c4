package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * The end of a grant.
 *
 * @param resource its name
 * @param grant the grant's number
 * @param usedToken the largest token that was handed to a holder; the rest of the block may be
 *     given again
 * @param requeue a further claim of this client on the same resource, or null
 */
public record ReleaseRequest(
    String resource, long grant, long usedToken, @Nullable ClaimRequest requeue) {}
