/**
 * Constructions of finished locks, without operations of their own at the store: several locks as
 * one, a lock over a majority of servers, the election of a leader. Not exported.
 */
@NullMarked
package io.lockkeeper.compose;

import org.jspecify.annotations.NullMarked;
