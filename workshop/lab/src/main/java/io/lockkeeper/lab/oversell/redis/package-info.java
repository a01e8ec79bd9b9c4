/** Plain connections to Redis, for what the lab does beside Lockkeeper. */
@NullMarked
package io.lockkeeper.lab.oversell.redis;

import org.jspecify.annotations.NullMarked;
