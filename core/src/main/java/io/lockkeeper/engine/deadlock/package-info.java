/**
 * Finds threads, of this client and of others, that wait for each other in a circle. {@link
 * io.lockkeeper.engine.deadlock.DeadlockDetector} decides when to look; the others each do one part
 * of a look: survey the threads, read and write the board at the store, find circles, judge them,
 * choose a victim, and end its wait.
 */
@NullMarked
package io.lockkeeper.engine.deadlock;

import org.jspecify.annotations.NullMarked;
