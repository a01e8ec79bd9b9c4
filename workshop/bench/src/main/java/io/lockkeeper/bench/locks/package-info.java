/** The contenders: the locks of each library, all driven in the same way. */
@NullMarked
package io.lockkeeper.bench.locks;

import org.jspecify.annotations.NullMarked;
