package io.lockkeeper.testkit.sim;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The circumstances of one run, drawn from its seed.
 *
 * @param clients how many processes
 * @param actors how many callers in each
 * @param rounds how many acquisitions each caller tries
 * @param leaseMillis the clients' default lease
 * @param latencyMicros the network's typical one-way latency
 * @param timeoutMillis when a request without an answer is given up
 * @param lossPercent how often a request or a reply is lost
 * @param lateness how often a request is carried out after it was given up, in percent
 * @param pushLossPercent how often a push is lost
 * @param pausePercent how often a process is paused in the middle of something
 * @param throwPercent how often an executor, a listener or the store throws, or does what it should
 *     not
 * @param crashes how many processes die
 * @param flushes how often the store forgets everything
 * @param forced how often somebody forces a resource open
 * @param hasty how many of ten requests do not wait
 * @param resources what there is to hold
 */
record SimPlan(
    int clients,
    int actors,
    int rounds,
    int leaseMillis,
    int latencyMicros,
    int timeoutMillis,
    int lossPercent,
    int lateness,
    int pushLossPercent,
    int pausePercent,
    int throwPercent,
    int crashes,
    int flushes,
    int forced,
    int hasty,
    List<SimResource> resources) {

  /** So long may a few requests of a store take, one after the other; leases have to be longer. */
  private static final int LONGEST_WAY_MILLIS = 200;

  static SimPlan draw(SplittableRandom random) {
    int clients = random.nextInt(2, 5);
    boolean faulty = random.nextInt(4) != 0; // every fourth run is a quiet one
    return new SimPlan(
        clients,
        random.nextInt(1, 6),
        random.nextInt(3, 12),
        random.nextBoolean() ? random.nextInt(50, 500) : random.nextInt(500, 20_000),
        random.nextInt(20, 3_000),
        random.nextInt(20, 1_500),
        faulty ? random.nextInt(0, 12) : 0,
        faulty ? random.nextInt(0, 4) : 0,
        faulty ? random.nextInt(0, 40) : 0,
        faulty ? random.nextInt(0, 6) : 0,
        faulty && random.nextBoolean() ? random.nextInt(1, 12) : 0,
        faulty ? random.nextInt(0, clients) : 0,
        faulty && random.nextInt(4) == 0 ? random.nextInt(1, 3) : 0,
        faulty && random.nextInt(4) == 0 ? random.nextInt(1, 4) : 0,
        1,
        SimResource.draw(random.nextInt(1, 3), random));
  }

  /**
   * Returns it for a store whose requests are simulated one by one: most requests do not wait, so
   * that names fall idle and begin again all the time, and requests have the time of a few of the
   * store's own.
   */
  SimPlan forProtocol() {
    return new SimPlan(
        clients,
        Math.min(actors, 3),
        2 * rounds,
        LONGEST_WAY_MILLIS + leaseMillis,
        latencyMicros,
        LONGEST_WAY_MILLIS + timeoutMillis,
        lossPercent,
        lateness,
        pushLossPercent,
        pausePercent,
        throwPercent,
        crashes,
        0,
        forced,
        6,
        resources);
  }

  /**
   * Returns whether a lock that rests does so to the end: nobody forces it, nothing is forgotten,
   * and no clock runs ahead that counts what is left of the rest when a request is repeated.
   */
  boolean restsLast() {
    return forced + flushes + pausePercent == 0;
  }

  boolean isFaulty() {
    return lossPercent
            + lateness
            + pushLossPercent
            + pausePercent
            + throwPercent
            + crashes
            + flushes
            + forced
        > 0;
  }
}
