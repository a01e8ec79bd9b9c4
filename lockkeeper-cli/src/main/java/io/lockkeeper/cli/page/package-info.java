/** {@code lockkeeper console}. */
@NullMarked
package io.lockkeeper.cli.page;

import org.jspecify.annotations.NullMarked;
