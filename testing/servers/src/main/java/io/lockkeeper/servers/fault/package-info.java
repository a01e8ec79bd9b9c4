/** Faults between a client and a server. */
@NullMarked
package io.lockkeeper.servers.fault;

import org.jspecify.annotations.NullMarked;
