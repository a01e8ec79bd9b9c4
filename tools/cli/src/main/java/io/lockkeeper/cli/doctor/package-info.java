/** {@code lockkeeper doctor}: which promises hold at a store. */
@NullMarked
package io.lockkeeper.cli.doctor;

import org.jspecify.annotations.NullMarked;
