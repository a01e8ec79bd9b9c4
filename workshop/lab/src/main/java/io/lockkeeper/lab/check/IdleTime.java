package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A time in which nobody had a resource, as far as its users know.
 *
 * @param resource which
 * @param from since when
 * @param to until when
 * @param around the holds before and after it
 */
record IdleTime(String resource, long from, long to, List<Hold> around) {

  /** What can be held, and so be idle. */
  static final Set<ResourceType> HELD =
      EnumSet.of(ResourceType.LOCK, ResourceType.FAIR, ResourceType.RW, ResourceType.SEMAPHORE);

  /**
   * A time in which somebody waited although nobody had it.
   *
   * @param waiter who
   * @param from since when
   * @param to until when
   */
  record Wait(Hold waiter, long from, long to) {

    /** Returns for how long it went on after this time. */
    long nanosAfter(long nanos) {
      return Math.max(0, to - Math.max(from, nanos));
    }
  }

  /** Creates one. */
  IdleTime {
    around = List.copyOf(around);
  }

  /** Returns all those of a resource, in order. */
  static List<IdleTime> of(Story story, String resource) {
    List<IdleTime> idle = new ArrayList<>();
    List<Hold> requests = story.requests(resource);
    List<Hold> around = new ArrayList<>();
    long freeSince = requests.isEmpty() ? story.end() : requests.get(0).ask().nanos();
    for (Hold hold : story.holds(resource)) {
      around.add(hold);
      if (hold.start() > freeSince) {
        idle.add(new IdleTime(resource, freeSince, hold.start(), around));
      }
      if (hold.widestEnd() >= freeSince) {
        freeSince = hold.widestEnd();
        around.clear();
        around.add(hold);
      }
    }
    if (story.end() > freeSince) {
      idle.add(new IdleTime(resource, freeSince, story.end(), around));
    }
    return idle;
  }

  /** Returns those who waited in it, in the order in which they had asked. */
  Stream<Wait> waiters(Story story) {
    return story.requests(resource).stream()
        .map(
            waiter ->
                new Wait(
                    waiter,
                    Math.max(from, waiter.ask().nanos()),
                    Math.min(to, story.waitEnd(waiter))))
        .filter(wait -> wait.to() > wait.from());
  }
}
