/**
 * Puts each register's state machine behind a mutex and carries out its effects in order. A
 * register is what the store calls a cell: a counter, a shared value or a latch.
 */
@NullMarked
package io.lockkeeper.engine.register;

import org.jspecify.annotations.NullMarked;
