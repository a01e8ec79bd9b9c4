/** Looking at a store and repairing what is held there: list, show, release, clean, console. */
@NullMarked
package io.lockkeeper.cli.admin;

import org.jspecify.annotations.NullMarked;
