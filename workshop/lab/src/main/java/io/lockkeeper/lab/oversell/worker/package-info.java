/** The worker process: threads that order, and what they tell the coordinator. */
@NullMarked
package io.lockkeeper.lab.oversell.worker;

import org.jspecify.annotations.NullMarked;
