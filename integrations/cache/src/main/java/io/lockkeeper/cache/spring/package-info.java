/** Spring's caches, guarded: {@link io.lockkeeper.cache.spring.GuardedCacheManager}. */
@NullMarked
package io.lockkeeper.cache.spring;

import org.jspecify.annotations.NullMarked;
