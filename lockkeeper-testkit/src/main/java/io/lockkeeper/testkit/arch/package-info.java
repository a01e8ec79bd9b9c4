/** What the code of the engine and of stores does not do, as tests. */
@NullMarked
package io.lockkeeper.testkit.arch;

import org.jspecify.annotations.NullMarked;
