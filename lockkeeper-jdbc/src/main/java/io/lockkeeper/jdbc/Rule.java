package io.lockkeeper.jdbc;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;

/**
 * The rule by which the claims of a kind of resource are let in, as steps. Each step locks the
 * resource's row, and so has the resource to itself until it is committed.
 */
interface Rule {

  Step<ClaimAnswer> claim(ClaimRequest request);

  Step<ReleaseAnswer> release(ReleaseRequest request);

  /** Takes a claim back; answers nothing of interest. */
  Step<Boolean> withdraw(String resource, long claim);

  Step<RenewAnswer> renew(RenewRequest request);

  Step<LookAnswer> look(String resource, long claim);

  /** Ends the grants that are meant, whoever holds them. */
  Step<Forced> forceRelease(ForceRequest request);
}
