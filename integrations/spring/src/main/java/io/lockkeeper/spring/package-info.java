/**
 * Locks for applications on the Spring Framework, 6.2 and 7: the annotation {@link
 * io.lockkeeper.spring.Locked}, switched on by {@link io.lockkeeper.spring.EnableLocks}, and {@link
 * io.lockkeeper.spring.LockTemplate} for code.
 */
@NullMarked
package io.lockkeeper.spring;

import org.jspecify.annotations.NullMarked;
