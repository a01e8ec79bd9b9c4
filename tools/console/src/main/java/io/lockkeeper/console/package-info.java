/** The console: who holds and who waits, as a page in a browser. */
@NullMarked
package io.lockkeeper.console;

import org.jspecify.annotations.NullMarked;
