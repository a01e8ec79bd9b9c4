package io.lockkeeper.lab.load;

import io.lockkeeper.lab.history.ResourceType;
import java.time.Duration;
import java.util.List;

/**
 * What the threads of a load do.
 *
 * @param types on which types of resources; one named twice is used twice as often
 * @param names how many resources of each type
 * @param permits the permits of each semaphore
 * @param patience for how long to wait for a resource
 * @param longestHold the longest time between two looks at what is held
 * @param rareHold how long a hold takes now and then: longer than a lease, so that it is renewed
 * @param rarely one hold in how many takes so long
 * @param longestPause the longest pause between two uses
 * @param perSecond how many acquisitions each thread begins a second, on the average; 0: as many as
 *     it can
 * @param tries the share of acquisitions that do not wait but try again and again, 0 to 1
 * @param resizes whether the number of permits of the semaphores is changed now and then
 * @param seed for all that is random
 */
public record LoadPlan(
    List<ResourceType> types,
    int names,
    int permits,
    Duration patience,
    Duration longestHold,
    Duration rareHold,
    int rarely,
    Duration longestPause,
    double perSecond,
    double tries,
    boolean resizes,
    long seed) {

  /** Creates one. */
  public LoadPlan {
    types = List.copyOf(types);
  }
}
