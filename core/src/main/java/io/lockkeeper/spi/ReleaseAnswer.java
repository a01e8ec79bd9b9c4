package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * A store's answer to a release.
 *
 * @param released whether the named grant was current and its lease not over
 * @param next the grant that this client has on the resource after the release, or null; always
 *     null for shared resources
 * @param requeued the place of the requeued claim in the queue, or null if there was none or it is
 *     in {@code next}
 */
public record ReleaseAnswer(boolean released, @Nullable Grant next, @Nullable Queued requeued) {}
