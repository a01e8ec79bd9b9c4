/** A store inside one process. */
@NullMarked
package io.lockkeeper.memory;

import org.jspecify.annotations.NullMarked;
