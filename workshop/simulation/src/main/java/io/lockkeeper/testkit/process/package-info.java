/**
 * Processes of their own, for tests in which one is killed, or in which there have to be several.
 */
@NullMarked
package io.lockkeeper.testkit.process;

import org.jspecify.annotations.NullMarked;
