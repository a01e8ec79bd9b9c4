package io.lockkeeper.spi;

/**
 * A store's answer to a change of a limit.
 *
 * @param changed whether the change was made, by this request or an earlier copy of it; if not, the
 *     limit would have become negative or more than {@link Integer#MAX_VALUE}
 * @param limit the limit in force; {@link Inspection#UNSET} if there is none
 */
public record Resized(boolean changed, int limit) {}
