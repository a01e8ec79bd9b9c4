/**
 * Auto-configuration for Spring Boot 3.5 and 4: a {@link io.lockkeeper.Lockkeeper} from properties,
 * or on the application's Redis or database, and {@link io.lockkeeper.spring.Locked} switched on.
 */
@NullMarked
package io.lockkeeper.spring.boot;

import org.jspecify.annotations.NullMarked;
