/** Plain connections to ZooKeeper, for what the lab does beside Lockkeeper. */
@NullMarked
package io.lockkeeper.lab.oversell.zookeeper;

import org.jspecify.annotations.NullMarked;
