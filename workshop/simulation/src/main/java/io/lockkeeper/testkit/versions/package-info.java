/** Clients of two versions of Lockkeeper at work on one store, as while a fleet is upgraded. */
@NullMarked
package io.lockkeeper.testkit.versions;

import org.jspecify.annotations.NullMarked;
