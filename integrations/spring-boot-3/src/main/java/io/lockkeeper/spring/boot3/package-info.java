/**
 * The classes that Spring Boot 3 has under other names than Spring Boot 4: a part of the starter.
 */
@NullMarked
package io.lockkeeper.spring.boot3;

import org.jspecify.annotations.NullMarked;
