package io.lockkeeper.bench.worker;

/**
 * What something cost this process.
 *
 * @param cpuNanos processor time
 * @param switches voluntary context switches
 * @param bytes allocated by Java threads
 */
public record Expense(double cpuNanos, double switches, double bytes) {

  /** Returns both together. */
  public Expense plus(Expense other) {
    return new Expense(cpuNanos + other.cpuNanos, switches + other.switches, bytes + other.bytes);
  }

  /** Returns what is left without another one. */
  public Expense minus(Expense other) {
    return new Expense(cpuNanos - other.cpuNanos, switches - other.switches, bytes - other.bytes);
  }

  /** Returns an equal share of it. */
  public Expense per(double count) {
    return new Expense(cpuNanos / count, switches / count, bytes / count);
  }
}
