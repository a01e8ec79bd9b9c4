/** What a run has found, as it is written to and read from JSON. */
@NullMarked
package io.lockkeeper.bench.results;

import org.jspecify.annotations.NullMarked;
