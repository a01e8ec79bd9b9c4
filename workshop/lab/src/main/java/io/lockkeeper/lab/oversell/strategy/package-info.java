/** The ways to guard an order. A new one implements Strategy and is listed in Strategies. */
@NullMarked
package io.lockkeeper.lab.oversell.strategy;

import org.jspecify.annotations.NullMarked;
