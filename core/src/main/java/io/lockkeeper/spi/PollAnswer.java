package io.lockkeeper.spi;

/** A store's answer to a poll: the state of one client's claim or grant. */
public sealed interface PollAnswer permits PollAnswer.Granted, PollAnswer.Gone, Queued {

  /** The client holds the resource; a lock not necessarily by the claim in the request. */
  record Granted(Grant grant) implements PollAnswer {}

  /** The client holds nothing of the resource, and the claim in the request does not wait. */
  record Gone() implements PollAnswer {}
}
