package io.lockkeeper;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A glance at one resource: enough to tell whether an earlier report still holds. See {@link
 * LockkeeperAdmin#glance}.
 *
 * @param kind its kind
 * @param name its name
 * @param stamp a text that differs from that of an earlier glance if a holder or a waiter came or
 *     left, or if the limit changed. It stays the same when a lease is renewed; and when the lease
 *     of a holder of anything else than a lock, or the heartbeat of a waiter, ends without anybody
 *     noticing
 * @param leaseLeft how long the lease of a lock's holder still lasts; null without a holder, and
 *     for other kinds
 */
public record ResourceGlance(
    ResourceKind kind, String name, String stamp, @Nullable Duration leaseLeft) {}
