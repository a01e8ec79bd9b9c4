/**
 * Distributed locks for Java on the store that a team already runs.
 *
 * <p>Start at {@link io.lockkeeper.Lockkeeper}: it connects to a store and hands out {@link
 * io.lockkeeper.DistributedLock}s. A successful acquisition is a {@link io.lockkeeper.Lease}: a
 * handle with a fencing token and an end that its holder can see.
 *
 * <p>Everything here is null-marked: no parameter and no result may be {@code null} unless it says
 * so. A {@code null} argument is answered with a {@link java.lang.NullPointerException} before
 * anything has changed.
 */
@NullMarked
package io.lockkeeper;

import org.jspecify.annotations.NullMarked;
