/**
 * A small port for stores that keep records, and everything above it written once.
 *
 * <p>The author of a store implements {@link io.lockkeeper.spi.record.RecordStore}: read a record,
 * write it if it has not changed, list records, pass messages on. {@link
 * io.lockkeeper.spi.record.RecordBasedStore} makes a {@link io.lockkeeper.spi.Store} of it, by the
 * {@linkplain io.lockkeeper.spi.rule rule} that all stores follow.
 *
 * <p>A store that carries out the rule itself, in a script for example, does without.
 */
@NullMarked
package io.lockkeeper.spi.record;

import org.jspecify.annotations.NullMarked;
