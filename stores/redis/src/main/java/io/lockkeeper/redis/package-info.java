/** A store on Redis. */
@NullMarked
package io.lockkeeper.redis;

import org.jspecify.annotations.NullMarked;
