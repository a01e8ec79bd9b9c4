package io.lockkeeper.engine.state;

import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.RenewRequest;
import java.util.ArrayList;
import java.util.List;

/** Writes down what fell due. */
final class RecordedRequests implements DueRequests {

  private final List<RenewRequest> renewals = new ArrayList<>();
  private final List<LookRequest> looks = new ArrayList<>();

  @Override
  public void renew(CurrentGrant grant, RenewRequest request) {
    renewals.add(request);
  }

  @Override
  public void look(LookRequest request) {
    looks.add(request);
  }

  /** Returns the renewals that fell due since this was asked last. */
  List<RenewRequest> takeRenewals() {
    List<RenewRequest> taken = List.copyOf(renewals);
    renewals.clear();
    return taken;
  }

  /** Returns the looks that fell due since this was asked last. */
  List<LookRequest> takeLooks() {
    List<LookRequest> taken = List.copyOf(looks);
    looks.clear();
    return taken;
  }
}
