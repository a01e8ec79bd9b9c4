package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.Inspection;

/**
 * The record that a store keeps of a shared resource, besides its claims and grants.
 *
 * @param limit how many permits there are; unset while it is out of use and was never resized
 * @param resized whether the limit was set for good
 * @param lastToken the largest token given; 0 at first
 */
public record PermitRecord(int limit, boolean resized, long lastToken) {

  /** A resource that was never used. */
  public static final PermitRecord NEW = new PermitRecord(Inspection.UNSET, false, 0);
}
