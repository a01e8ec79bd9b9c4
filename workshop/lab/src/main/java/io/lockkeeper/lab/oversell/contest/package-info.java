/**
 * The coordinator: runs each strategy in fresh worker processes and judges what the shop's books
 * say afterwards.
 */
@NullMarked
package io.lockkeeper.lab.oversell.contest;

import org.jspecify.annotations.NullMarked;
