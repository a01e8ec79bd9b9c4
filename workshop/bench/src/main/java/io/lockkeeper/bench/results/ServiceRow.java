package io.lockkeeper.bench.results;

import io.lockkeeper.lab.report.Numbers;

/**
 * A load of services. Each thread pauses for a random time, draws a name, asks for its lock, holds
 * it, and gives it back.
 */
public enum ServiceRow {
  ALONE(1, 1, 1_000, 10, 0, 0),
  FEW(2, 10, 1_000, 10, 0, 0),
  MANY(20, 1, 1_000, 10, 0, 0),
  /** All want one lock. */
  ONE_NAME(20, 1, 1, 5, 1, 0),
  /** As {@link #ONE_NAME}; and more clients ask again at once, so that there is always a crowd. */
  CROWDED(20, 1, 1, 5, 1, 10);

  private final int clients;
  private final int threads;
  private final int names;
  private final int pauseMillis;
  private final int holdMillis;
  private final int restless;

  ServiceRow(int clients, int threads, int names, int pauseMillis, int holdMillis, int restless) {
    this.clients = clients;
    this.threads = threads;
    this.names = names;
    this.pauseMillis = pauseMillis;
    this.holdMillis = holdMillis;
    this.restless = restless;
  }

  /** Returns how many clients pause and are measured. */
  public int clients() {
    return clients;
  }

  /** Returns how many threads each client has. */
  public int threads() {
    return threads;
  }

  /** Returns how many names there are to draw from. */
  public int names() {
    return names;
  }

  /** Returns the mean pause of a thread. */
  public int pauseMillis() {
    return pauseMillis;
  }

  /** Returns how long a lock is held. */
  public int holdMillis() {
    return holdMillis;
  }

  /** Returns how many clients there are beside, which never pause; their waits are not measured. */
  public int restless() {
    return restless;
  }

  /** Returns how many clients there are in all; the restless ones come last. */
  public int allClients() {
    return clients + restless;
  }

  /** Returns what it is, for people. */
  public String title() {
    return clients
        + " x "
        + threads
        + (names == 1 ? ", one name" : ", " + Numbers.count((long) names) + " names")
        + (holdMillis == 0 ? ", nothing under the lock" : ", held for " + holdMillis + " ms")
        + ", pause of "
        + pauseMillis
        + " ms"
        + (restless == 0 ? "" : ", and " + restless + " clients that ask again at once");
  }
}
