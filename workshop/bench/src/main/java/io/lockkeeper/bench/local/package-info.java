/** Measurements of what happens inside one process, made with JMH on the memory store. */
@NullMarked
package io.lockkeeper.bench.local;

import org.jspecify.annotations.NullMarked;
