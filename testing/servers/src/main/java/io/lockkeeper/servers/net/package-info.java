/** Hosts of their own for servers on one machine, so that the links between them can be cut. */
@NullMarked
package io.lockkeeper.servers.net;

import org.jspecify.annotations.NullMarked;
