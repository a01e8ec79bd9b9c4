/** Plain connections to etcd, for what the lab does beside Lockkeeper. */
@NullMarked
package io.lockkeeper.lab.oversell.etcd;

import org.jspecify.annotations.NullMarked;
