/** Applications that move from another library's lock to this one's, instance by instance. */
@NullMarked
package io.lockkeeper.lab.migration;

import org.jspecify.annotations.NullMarked;
