/**
 * The interface between the engine and a store: what each must do for the other.
 *
 * <p>Read {@link io.lockkeeper.spi.Store} first: it has the whole protocol and its rules. A store
 * answers one request at a time; the engine does retries, deadlines, backoff, renewal and local
 * hand-off.
 */
@NullMarked
package io.lockkeeper.spi;

import org.jspecify.annotations.NullMarked;
