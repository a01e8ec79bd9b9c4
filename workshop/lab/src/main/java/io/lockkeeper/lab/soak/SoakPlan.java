package io.lockkeeper.lab.soak;

import java.time.Duration;

/**
 * What a soak does.
 *
 * @param load how long it uses the store
 * @param rest how long it looks on after that, with all clients closed
 * @param interval between two samples
 * @param names how many resources it uses
 * @param perSecond how many uses of a resource are begun in a second
 * @param threads how many threads begin them
 * @param seed of every choice
 */
public record SoakPlan(
    Duration load,
    Duration rest,
    Duration interval,
    int names,
    double perSecond,
    int threads,
    long seed) {}
