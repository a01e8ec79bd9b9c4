/**
 * What a store must offer, and what the engine offers a store.
 *
 * <p>Read {@link io.lockkeeper.spi.Store} first: it has the whole protocol and its rules. A store
 * answers questions one at a time; retry, deadlines, backoff, renewal and local hand-over are the
 * engine's.
 */
@NullMarked
package io.lockkeeper.spi;

import org.jspecify.annotations.NullMarked;
