package io.lockkeeper.spi;

/** Where a client stands with a resource. */
public sealed interface LookAnswer permits LookAnswer.Granted, LookAnswer.Gone, Queued {

  /** The client holds the resource (a lock not necessarily by the claim asked for). */
  record Granted(Grant grant) implements LookAnswer {}

  /** The client holds nothing there, and the claim asked for does not wait. */
  record Gone() implements LookAnswer {}
}
