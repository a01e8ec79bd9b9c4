/** The stock service of the scenes: a Spring Boot application, started once per instance. */
@NullMarked
package io.lockkeeper.lab.scene.app;

import org.jspecify.annotations.NullMarked;
