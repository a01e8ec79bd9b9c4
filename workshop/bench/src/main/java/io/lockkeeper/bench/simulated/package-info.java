/** Ten thousand clients in virtual time: the real engine, a simulated network, no threads. */
@NullMarked
package io.lockkeeper.bench.simulated;

import org.jspecify.annotations.NullMarked;
