/** Ways to sell one stock from many processes: broken ones, right ones, and their steps. */
@NullMarked
package io.lockkeeper.lab.oversell;

import org.jspecify.annotations.NullMarked;
