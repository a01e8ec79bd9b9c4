package io.lockkeeper.bench.simulated;

/**
 * What a crowd has found.
 *
 * @param wish what its clients wanted
 * @param acquisitions how often they got it
 * @param seconds how much virtual time that took
 * @param messages how many messages for each acquisition: requests, replies and notifications
 * @param requests how many requests of them
 * @param pushes how many notifications of them
 * @param p50Micros the median wait
 * @param p99Micros the wait that all but one in a hundred did not exceed
 * @param maxMicros the longest wait
 */
record Outcome(
    Crowd.Wish wish,
    long acquisitions,
    double seconds,
    double messages,
    double requests,
    double pushes,
    double p50Micros,
    double p99Micros,
    double maxMicros) {}
