package io.lockkeeper.spi;

/** A store's answer to a claim. */
public sealed interface ClaimAnswer permits ClaimAnswer.Busy, ClaimAnswer.Granted, Queued {

  /** The claim holds the resource. */
  record Granted(Grant grant) implements ClaimAnswer {}

  /** Somebody else holds the resource, and the claim asked not to wait. */
  record Busy() implements ClaimAnswer {}
}
