/** Locks in Micronaut: the client as a bean, locks by annotation, health and metrics. */
@NullMarked
package io.lockkeeper.micronaut;

import org.jspecify.annotations.NullMarked;
