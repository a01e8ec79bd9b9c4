/** The command line. */
@NullMarked
package io.lockkeeper.cli;

import org.jspecify.annotations.NullMarked;
