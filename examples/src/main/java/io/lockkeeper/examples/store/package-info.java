/**
 * A whole store on maps: what the guide "Add a store" builds. {@link
 * io.lockkeeper.examples.store.MapsServer} is what another store has a server for, {@link
 * io.lockkeeper.examples.store.MapsRecordStore} is a client's way to it.
 */
@NullMarked
package io.lockkeeper.examples.store;

import org.jspecify.annotations.NullMarked;
