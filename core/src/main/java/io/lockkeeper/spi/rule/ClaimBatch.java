package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * The first live claim of a lock's queue and those directly behind it that belong with it, at most
 * {@link Store#MAX_BATCH}: they are granted together.
 *
 * @param <C> the type of claims
 */
public final class ClaimBatch<C> {

  private final BiPredicate<C, C> belongsWith;
  private final List<C> claims = new ArrayList<>();
  private boolean isEnded;

  /**
   * Creates an empty one.
   *
   * @param belongsWith tells if the second claim, directly behind the first, is granted with it
   */
  public ClaimBatch(BiPredicate<C, C> belongsWith) {
    this.belongsWith = belongsWith;
  }

  /** Creates an empty one of stored claims. */
  public static ClaimBatch<StoredClaim> ofStored() {
    return new ClaimBatch<>(StoredClaim::belongsWith);
  }

  /**
   * Takes the next claim in the order of arrival, a live one into the batch.
   *
   * @return whether the batch goes on; if not, this claim and those behind it wait on
   */
  public boolean take(C claim, boolean isLive) {
    isEnded |=
        claims.size() == Store.MAX_BATCH
            || (!claims.isEmpty() && !belongsWith.test(claims.get(0), claim));
    if (!isEnded && isLive) {
      claims.add(claim);
    }
    return !isEnded;
  }

  /** Returns whether a claim has been seen that is not part of it any more. */
  public boolean isEnded() {
    return isEnded;
  }

  /** Returns the claims in it, in order. */
  public List<C> claims() {
    return claims;
  }
}
