/** The part of the Quarkus extension that runs in the build of an application. */
@NullMarked
package io.lockkeeper.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
