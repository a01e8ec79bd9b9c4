/**
 * The Javadoc of {@link java.util.concurrent.locks.Lock} as tests, so far as its words apply to a
 * lock over many processes.
 */
@NullMarked
package io.lockkeeper.testkit.juc;

import org.jspecify.annotations.NullMarked;
