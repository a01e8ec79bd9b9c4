/** The oversell lab: many processes sell one stock, guarded in different ways, side by side. */
@NullMarked
package io.lockkeeper.lab.oversell;

import org.jspecify.annotations.NullMarked;
