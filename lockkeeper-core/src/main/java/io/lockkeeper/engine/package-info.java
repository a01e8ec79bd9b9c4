/**
 * The engine: everything between the locks that a user sees and a {@link io.lockkeeper.spi.Store}.
 * Not exported.
 *
 * <p>Reading order: {@link io.lockkeeper.engine.GateState}, the heart, with the essay on how one
 * resource is shared out; {@link io.lockkeeper.engine.Gate}, which guards it; {@link
 * io.lockkeeper.engine.Engine}, which owns the gates; {@link io.lockkeeper.engine.Pulse}, which
 * drives all that happens by itself.
 */
@NullMarked
package io.lockkeeper.engine;

import org.jspecify.annotations.NullMarked;
