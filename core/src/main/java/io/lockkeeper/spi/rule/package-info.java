/**
 * The rule that every store follows, written once: who gets a resource and in which order, and what
 * changes make of a cell. No I/O, no thread, no clock: a store gives what it has read and what time
 * it is there, and writes what comes of it.
 *
 * <p>It is for those who write a store. A store that carries out the rule itself, in a script for
 * example, does without.
 */
@NullMarked
package io.lockkeeper.spi.rule;

import org.jspecify.annotations.NullMarked;
