/** Spring Integration's registry of locks, on any store of Lockkeeper. */
@NullMarked
package io.lockkeeper.spring.integration;

import org.jspecify.annotations.NullMarked;
