package io.lockkeeper.lab.oversell.contest;

import io.lockkeeper.lab.oversell.strategy.Grant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Whether grants followed the store's order of arrival.
 *
 * @param grants how many there were
 * @param queued how many of them had waited in the store's queue and so have a place in the order
 * @param violations how many were granted after somebody who arrived later
 */
public record ArrivalCheck(long grants, long queued, long violations) {

  /** Checks the grants of all processes. */
  public static ArrivalCheck of(Collection<Grant> grants) {
    List<Grant> queued =
        grants.stream()
            .filter(grant -> grant.arrival() >= 0)
            .sorted(Comparator.comparingLong(Grant::token))
            .toList();
    long violations = 0;
    long latest = Long.MIN_VALUE;
    for (Grant grant : queued) {
      if (grant.arrival() < latest) {
        violations++;
      }
      latest = Math.max(latest, grant.arrival());
    }
    return new ArrivalCheck(grants.size(), queued.size(), violations);
  }
}
