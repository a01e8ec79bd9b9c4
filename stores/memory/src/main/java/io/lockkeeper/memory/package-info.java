/**
 * A store inside one process: for tests, for programs of one process, and the reference for every
 * other store.
 *
 * <p>Reading order: {@link io.lockkeeper.memory.LockResource} and {@link
 * io.lockkeeper.memory.PoolResource} keep what the {@link io.lockkeeper.spi.rule.QueueRule rule}
 * makes of it, {@link io.lockkeeper.memory.MemoryServer} makes each operation one atomic step and
 * delivers notifications, {@link io.lockkeeper.memory.MemoryStore} is one client's door to it.
 */
@NullMarked
package io.lockkeeper.memory;

import org.jspecify.annotations.NullMarked;
