/** Stores that are broken on purpose, and the proof that a recorded run gives them away. */
@NullMarked
package io.lockkeeper.lab.mutants;

import org.jspecify.annotations.NullMarked;
