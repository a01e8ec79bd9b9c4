/** A store on ZooKeeper, through Curator's framework. */
@NullMarked
package io.lockkeeper.zookeeper;

import org.jspecify.annotations.NullMarked;
