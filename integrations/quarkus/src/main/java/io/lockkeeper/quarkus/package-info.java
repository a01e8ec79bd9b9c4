/** Locks in Quarkus: the client as a bean, locks by annotation, health and metrics. */
@NullMarked
package io.lockkeeper.quarkus;

import org.jspecify.annotations.NullMarked;
