/**
 * Shows users what they know: {@link io.lockkeeper.engine.view.LockkeeperClient} is the {@code
 * Lockkeeper}, and its views are the locks, leases, semaphores, counters and so on. They have no
 * state of their own; {@link io.lockkeeper.engine.view.ClientCore} puts together what is below.
 */
@NullMarked
package io.lockkeeper.engine.view;

import org.jspecify.annotations.NullMarked;
