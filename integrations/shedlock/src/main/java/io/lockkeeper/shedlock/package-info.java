/** ShedLock on Lockkeeper: {@link io.lockkeeper.shedlock.LockkeeperLockProvider}. */
@NullMarked
package io.lockkeeper.shedlock;

import org.jspecify.annotations.NullMarked;
