package io.lockkeeper.spi;

/** A store's answer to a look: the state of one client's claim or grant. */
public sealed interface LookAnswer permits LookAnswer.Granted, LookAnswer.Gone, Queued {

  /** The client holds the resource; a lock not necessarily by the claim in the request. */
  record Granted(Grant grant) implements LookAnswer {}

  /** The client holds nothing of the resource, and the claim in the request does not wait. */
  record Gone() implements LookAnswer {}
}
