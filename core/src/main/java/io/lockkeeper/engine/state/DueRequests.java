package io.lockkeeper.engine.state;

import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.RenewRequest;

/** Takes what fell due in one tick, to be sent together with what fell due elsewhere. */
public interface DueRequests {

  /** Takes the renewal of a grant. */
  void renew(CurrentGrant grant, RenewRequest request);

  /** Takes a look at a waiting claim. */
  void poll(PollRequest request);
}
