/**
 * A seeded simulation of many clients and one store: the real engine on simulated time, network,
 * pauses and crashes, in one thread, with the promises checked after every step.
 *
 * <p>A seed and a commit reproduce a run exactly. Start at {@link
 * io.lockkeeper.testkit.sim.Simulation}.
 */
@NullMarked
package io.lockkeeper.testkit.sim;

import org.jspecify.annotations.NullMarked;
