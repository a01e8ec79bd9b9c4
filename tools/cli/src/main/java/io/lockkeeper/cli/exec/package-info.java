/** {@code lockkeeper exec}: another program, run while a lock is held. */
@NullMarked
package io.lockkeeper.cli.exec;

import org.jspecify.annotations.NullMarked;
