/** Tests that every store has to pass. */
@NullMarked
package io.lockkeeper.testkit;

import org.jspecify.annotations.NullMarked;
