/**
 * Holds what a client is set to and the numbers that follow from it. Knows nothing of the rest of
 * the engine.
 */
@NullMarked
package io.lockkeeper.engine.policy;

import org.jspecify.annotations.NullMarked;
