package io.lockkeeper.spi;

import java.util.OptionalLong;

/**
 * A glance at a resource, which a store reads without inspecting it: enough to tell whether an
 * earlier {@link Inspection} still holds.
 *
 * @param resource the resource
 * @param stamp a text that differs from an earlier one if another grant is current, if a claim came
 *     to the queue or left it, or if the limit changed. A renewal changes nothing in it, and
 *     neither does the end of a lease or of a heartbeat that no operation has noticed; but a lock
 *     without a current holder has another stamp than with one
 * @param leaseMicros the time that is left of the lease of a lock's holder; empty without a holder,
 *     and for other kinds
 */
public record Glance(ResourceId resource, String stamp, OptionalLong leaseMicros) {}
