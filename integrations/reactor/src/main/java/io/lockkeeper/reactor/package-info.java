/**
 * Locks for Reactor: {@link io.lockkeeper.reactor.ReactorLock} does the work of a {@code Mono} or
 * {@code Flux} while a lease is held.
 */
@NullMarked
package io.lockkeeper.reactor;

import org.jspecify.annotations.NullMarked;
