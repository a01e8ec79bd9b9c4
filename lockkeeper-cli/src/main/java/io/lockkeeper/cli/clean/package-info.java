/** {@code lockkeeper clean}. */
@NullMarked
package io.lockkeeper.cli.clean;

import org.jspecify.annotations.NullMarked;
