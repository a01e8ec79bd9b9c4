package io.lockkeeper.spi;

/**
 * What a store answers to a change of a limit.
 *
 * @param changed whether the change was made, by this request or an earlier copy of it; if not,
 *     there would have been fewer permits than none or more than {@link Integer#MAX_VALUE}
 * @param limit the limit that counts now; {@link Inspection#UNSET} if there is none
 */
public record Resized(boolean changed, int limit) {}
