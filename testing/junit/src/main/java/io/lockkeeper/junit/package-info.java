/**
 * Clients for tests: {@link io.lockkeeper.junit.WithLockkeeper} gives each test one of its own, and
 * fails those that leave something held.
 */
@NullMarked
package io.lockkeeper.junit;

import org.jspecify.annotations.NullMarked;
