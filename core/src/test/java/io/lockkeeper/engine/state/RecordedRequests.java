package io.lockkeeper.engine.state;

import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.RenewRequest;
import java.util.ArrayList;
import java.util.List;

/** Writes down what fell due. */
final class RecordedRequests implements DueRequests {

  private final List<RenewRequest> renewals = new ArrayList<>();
  private final List<PollRequest> polls = new ArrayList<>();

  @Override
  public void renew(CurrentGrant grant, RenewRequest request) {
    renewals.add(request);
  }

  @Override
  public void poll(PollRequest request) {
    polls.add(request);
  }

  /** Returns the renewals that fell due since this was asked last. */
  List<RenewRequest> takeRenewals() {
    List<RenewRequest> taken = List.copyOf(renewals);
    renewals.clear();
    return taken;
  }

  /** Returns the polls that fell due since this was asked last. */
  List<PollRequest> takeLooks() {
    List<PollRequest> taken = List.copyOf(polls);
    polls.clear();
    return taken;
  }
}
