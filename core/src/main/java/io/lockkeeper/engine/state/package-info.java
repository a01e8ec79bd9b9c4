/**
 * Holds the state machines: what one client knows of one resource ({@link
 * io.lockkeeper.engine.state.ResourceState}) or of one register ({@link
 * io.lockkeeper.engine.state.RegisterState}). They have no threads, no I/O, no clock and no
 * futures: an event and the time come in, and what they want done goes out as effects, which
 * somebody above carries out.
 */
@NullMarked
package io.lockkeeper.engine.state;

import org.jspecify.annotations.NullMarked;
