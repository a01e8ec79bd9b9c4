/**
 * Caches whose values are loaded once over all processes: {@link io.lockkeeper.cache.CacheGuard}.
 */
@NullMarked
package io.lockkeeper.cache;

import org.jspecify.annotations.NullMarked;
