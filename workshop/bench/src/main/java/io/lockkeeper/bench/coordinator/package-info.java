/** Starts server and workers, lets the contenders take turns and gathers what they measured. */
@NullMarked
package io.lockkeeper.bench.coordinator;

import org.jspecify.annotations.NullMarked;
