/** Which store a command works on, and how it gets there. */
@NullMarked
package io.lockkeeper.cli.store;

import org.jspecify.annotations.NullMarked;
