/** Scenes: a stock service as people write it, the fault that breaks it, and the cure. */
@NullMarked
package io.lockkeeper.lab.scene;

import org.jspecify.annotations.NullMarked;
