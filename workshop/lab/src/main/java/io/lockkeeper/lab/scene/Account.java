package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.oversell.contest.ArrivalCheck;
import io.lockkeeper.lab.oversell.strategy.Grant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the instances know of a load and the store does not.
 *
 * @param grants of a lock that keeps the order of arrival
 * @param entered how often an order was inside
 */
record Account(List<Grant> grants, long entered) {

  /** Nothing is known. */
  static final Account NONE = new Account(List.of(), 0);

  /** Copies. */
  Account {
    grants = List.copyOf(grants);
  }

  /** Asks the instances. */
  interface Asked {
    /** Does so. */
    Account get() throws InterruptedException;
  }

  /** Returns what all know of an article. */
  static Account of(List<Instance> instances, String article) throws InterruptedException {
    List<Grant> grants = new ArrayList<>();
    long entered = 0;
    for (Instance instance : instances) {
      Account one = instance.account(article);
      grants.addAll(one.grants());
      entered += one.entered();
    }
    return new Account(grants, entered);
  }

  /**
   * Returns whether the grants followed the order of arrival; there is nothing in it if none is
   * kept.
   */
  ArrivalCheck arrivals() {
    return ArrivalCheck.of(grants);
  }
}
