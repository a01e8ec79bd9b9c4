package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.oversell.Books;
import java.util.function.Supplier;

/**
 * How far a load is.
 *
 * @param done orders that the service answered with 200
 * @param elapsedNanos since its beginning
 * @param p99Nanos of the answers since the last time
 * @param books asks the store what it says
 */
record LoadProgress(
    LoadPlan plan, long done, long elapsedNanos, long p99Nanos, Supplier<Books> books) {

  double ordersPerSecond() {
    return elapsedNanos == 0 ? 0 : done * 1e9 / elapsedNanos;
  }
}
