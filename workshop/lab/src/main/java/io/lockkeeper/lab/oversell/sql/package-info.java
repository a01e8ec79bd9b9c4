/** Plain connections to SQL databases, for what the lab does beside Lockkeeper. */
@NullMarked
package io.lockkeeper.lab.oversell.sql;

import org.jspecify.annotations.NullMarked;
