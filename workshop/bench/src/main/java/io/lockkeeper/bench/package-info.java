/** The side-by-side benchmark of Lockkeeper with other lock libraries, and its command line. */
@NullMarked
package io.lockkeeper.bench;

import org.jspecify.annotations.NullMarked;
