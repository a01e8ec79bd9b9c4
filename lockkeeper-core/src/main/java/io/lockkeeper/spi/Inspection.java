package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * Who holds a resource and how many wait.
 *
 * @param holder the current holder, or null if it is free
 * @param waiting how many claims wait
 */
public record Inspection(@Nullable Holder holder, int waiting) {

  /**
   * A current grant.
   *
   * @param clientId whose it is
   * @param grant its number
   * @param token its first token
   * @param leaseMicros how long it still lasts
   */
  public record Holder(String clientId, long grant, long token, long leaseMicros) {}
}
