/** Store servers started for tests and for embedded runs. */
@NullMarked
package io.lockkeeper.servers;

import org.jspecify.annotations.NullMarked;
