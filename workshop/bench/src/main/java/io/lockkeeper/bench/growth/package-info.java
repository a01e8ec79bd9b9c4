/** Measures how the cost of Lockkeeper grows with clients, waiters, names, permits and leases. */
@NullMarked
package io.lockkeeper.bench.growth;

import org.jspecify.annotations.NullMarked;
