/** A small pool, for connections of which each serves one thread at a time. */
@NullMarked
package io.lockkeeper.lab.oversell.pool;

import org.jspecify.annotations.NullMarked;
