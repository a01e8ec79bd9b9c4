package io.lockkeeper.lab.scene;

/**
 * What a load does.
 *
 * @param users how many order at the same time, each waiting for its answer
 * @param orders how many orders by each
 * @param stock how many pieces there are
 * @param seed for who begins
 */
record LoadPlan(int users, int orders, long stock, long seed) {

  long total() {
    return (long) users * orders;
  }

  /** Returns one with as many users, and one in so many of the orders and of the pieces. */
  LoadPlan part(int part) {
    return orders == 0
        ? this
        : new LoadPlan(users, Math.max(1, orders / part), Math.max(1, stock / part), seed);
  }
}
