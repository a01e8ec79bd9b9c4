/** Benchmarks. */
@NullMarked
package io.lockkeeper.bench;

import org.jspecify.annotations.NullMarked;
