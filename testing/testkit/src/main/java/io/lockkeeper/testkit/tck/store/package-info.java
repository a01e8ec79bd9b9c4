/**
 * The protocol of {@link io.lockkeeper.spi.Store} as tests: what a store must do before a client is
 * put on top of it.
 *
 * <p>A store's module extends {@link io.lockkeeper.testkit.tck.store.StoreContract}, which has the
 * rules of all the interfaces here.
 */
@NullMarked
package io.lockkeeper.testkit.tck.store;

import org.jspecify.annotations.NullMarked;
