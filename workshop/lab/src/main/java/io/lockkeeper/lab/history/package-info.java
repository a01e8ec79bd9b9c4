/**
 * What happened in a run, written down as it happens: one {@link io.lockkeeper.lab.history.Event}
 * per line, one file per process, put together by time.
 *
 * <p>Times are of the machine's monotonic clock, which has one origin for all processes of a Linux
 * machine.
 */
@NullMarked
package io.lockkeeper.lab.history;

import org.jspecify.annotations.NullMarked;
