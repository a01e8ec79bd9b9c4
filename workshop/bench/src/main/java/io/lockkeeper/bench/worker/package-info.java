/**
 * A worker process: it holds the clients and threads of one library and does what the coordinator
 * says.
 */
@NullMarked
package io.lockkeeper.bench.worker;

import org.jspecify.annotations.NullMarked;
