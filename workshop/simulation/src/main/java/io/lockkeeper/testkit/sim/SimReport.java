package io.lockkeeper.testkit.sim;

/**
 * The report of a run.
 *
 * @param seed repeats it
 * @param steps how many events happened
 * @param acquired how many leases were granted
 * @param lost how many of them were lost
 * @param refused how many requests ended without a lease
 */
public record SimReport(long seed, long steps, int acquired, int lost, int refused) {}
