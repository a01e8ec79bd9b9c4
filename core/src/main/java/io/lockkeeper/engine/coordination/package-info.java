/**
 * Puts each resource's state machine behind a mutex and carries out its effects in order; has the
 * coordinators of one client, and the way of a request to its coordinator and back.
 */
@NullMarked
package io.lockkeeper.engine.coordination;

import org.jspecify.annotations.NullMarked;
