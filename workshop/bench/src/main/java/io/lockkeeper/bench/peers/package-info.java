/** Locks of other products under {@code lockkeeper torture}; see {@code docs/faults.md}. */
@NullMarked
package io.lockkeeper.bench.peers;

import org.jspecify.annotations.NullMarked;
