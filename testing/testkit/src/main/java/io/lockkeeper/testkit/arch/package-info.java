/** Rules for the code of the engine and of stores, as tests. */
@NullMarked
package io.lockkeeper.testkit.arch;

import org.jspecify.annotations.NullMarked;
