package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.WithdrawAnswer;
import java.util.List;

/**
 * The rule of the queue, as it is written in {@link io.lockkeeper.spi.Store}: one step of one
 * client on one resource. A step is one operation, at one time of the store. It asks the store for
 * what it needs of the queue, and answers. What the record is afterwards, and which clients to
 * notify, is read from it then; the store writes all of it at once, or nothing.
 *
 * <p>Each operation first notices what is over and admits the claims that have room then, and does
 * its own work. So between steps no live claim waits that the rule would admit, but for the passing
 * of time and while {@linkplain StoreTime#isClosed no claim may be admitted}.
 *
 * @param <X> what the store throws
 */
public sealed interface QueueRule<X extends Exception> permits LockRule, PermitRule {

  /** Asks for the resource; a sign of life of the caller. */
  ClaimAnswer claim(ClaimRequest request) throws X;

  /** Ends a grant; a sign of life of the caller if a further claim comes with it. */
  ReleaseAnswer release(ReleaseRequest request) throws X;

  /** Takes back a claim of the caller. */
  WithdrawAnswer withdraw(long claim) throws X;

  /** Gives a grant more time. */
  RenewAnswer renew(RenewRequest request) throws X;

  /** Says where the caller stands; a sign of life of the caller. */
  PollAnswer poll(long claim) throws X;

  /** Ends grants against their holders' will. */
  Forced forceRelease(ForceRequest request) throws X;

  /** Returns the grants of other clients, as the step leaves them. */
  List<HeldGrant> heldByOthers() throws X;

  /** Ends grants whose clients have gone, if they are as they were seen. Nobody is notified. */
  void end(List<HeldGrant> gone) throws X;

  /** Changes the limit of a semaphore. */
  Resized resize(ResizeRequest request) throws X;

  /** Returns the notifications to send, in order, without what the answer says. */
  List<Notice> notices() throws X;
}
