package io.lockkeeper.engine.state;

import io.lockkeeper.LockEvent;
import io.lockkeeper.spi.RenewRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Effects that are only written down. */
final class RecordedEffects implements Effects {

  /** A release that was to be sent. */
  record Released(PendingRelease release, Claim requeue) {}

  final List<Claim> claims = new ArrayList<>();

  /** What the tests do not clear. */
  final List<Claim> allClaims = new ArrayList<>();

  final List<Released> releases = new ArrayList<>();

  final List<PendingRelease> withdrawals = new ArrayList<>();
  final List<Waiter> woken = new ArrayList<>();
  final List<Waiter> settled = new ArrayList<>();
  final List<RenewRequest> shrunk = new ArrayList<>();
  final List<Hold> lost = new ArrayList<>();
  final List<RuntimeException> renewed = new ArrayList<>();
  final List<LockEvent> events = new ArrayList<>();

  @Override
  public void claim(Claim claim) {
    claims.add(claim);
    allClaims.add(claim);
  }

  @Override
  public void release(PendingRelease release, Claim requeue) {
    releases.add(new Released(release, requeue));
  }

  @Override
  public void withdraw(PendingRelease release) {
    withdrawals.add(release);
  }

  @Override
  public void wake(Waiter waiter) {
    woken.add(waiter);
  }

  @Override
  public void settled(Waiter waiter) {
    settled.add(waiter);
  }

  @Override
  public void renewed(ManualRenewal wish, RuntimeException failure) {
    renewed.add(failure);
  }

  @Override
  public void shrink(CurrentGrant grant, RenewRequest request) {
    shrunk.add(request);
  }

  @Override
  public void confirmed(Completion completion, @Nullable RuntimeException failure) {
    if (failure == null) {
      completion.done();
    } else {
      completion.fail(failure);
    }
  }

  @Override
  public void lost(Hold hold) {
    lost.add(hold);
  }

  @Override
  public void event(LockEvent event) {
    events.add(event);
  }

  @Override
  public boolean wants(Class<? extends LockEvent> kind) {
    return true;
  }
}
