/**
 * Holds what a client runs on: clock, ticker, threads for user code, serial executors, and how the
 * store is asked. Knows nothing of locks and registers.
 */
@NullMarked
package io.lockkeeper.engine.runtime;

import org.jspecify.annotations.NullMarked;
