/** A run of hours at a small load, which shows whether anything grows. */
@NullMarked
package io.lockkeeper.lab.soak;

import org.jspecify.annotations.NullMarked;
