/** Small programs that show how to use the library. */
@NullMarked
package io.lockkeeper.examples;

import org.jspecify.annotations.NullMarked;
