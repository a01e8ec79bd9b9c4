/** Metrics and observations of locks, by Micrometer. */
@NullMarked
package io.lockkeeper.micrometer;

import org.jspecify.annotations.NullMarked;
