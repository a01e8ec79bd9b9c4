package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a client polls for a claim that waits in a queue. */
class TurnsTest {

  private static final long MILLI = 1_000_000;
  private static final long RESOURCE = 7;

  private final Turns turns = new Turns();
  private long now = -5; // and over zero

  /** How often a claim was polled for, and how long after its grant that was noticed. */
  private record Wait(int polls, long lateNanos) {}

  /** Waits in a queue that shrinks by one in each period. */
  private Wait waitBehind(int before, long periodNanos, boolean isInOrder) {
    Turns.Key key = new Turns.Key(RESOURCE, 100 + before);
    long begin = now;
    long granted = begin + (before + 1) * periodNanos;
    turns.begin(key, before, isInOrder, now);
    int polls = 0;
    while (now < granted) {
      now += Math.max(0, turns.nanosToNext(now));
      polls++;
      Turns.Poll poll = turns.poll(now);
      assertThat(poll).isNotNull();
      assertThat(poll.claim()).isEqualTo(key);
      int left = before - (int) ((now - begin) / periodNanos);
      if (left < 0) {
        turns.over(key, now);
      } else {
        long first = key.arrival() - left;
        assertThat(poll.from()).isLessThanOrEqualTo(first);
        turns.waits(key, Math.min(left, Turns.FARTHEST), first, now);
      }
    }
    assertThat(turns.nanosToNext(now)).isEqualTo(Long.MAX_VALUE);
    return new Wait(polls, now - granted);
  }

  @Test
  void aQueueWhosePaceIsKnownTakesFewPollsAndATurnIsSeenSoon() {
    waitBehind(19, 6 * MILLI, true);

    Wait wait = waitBehind(19, 6 * MILLI, true);

    assertThat(wait.polls()).isLessThan(20);
    assertThat(wait.lateNanos()).isLessThanOrEqualTo(Turns.SHORTEST_NANOS);
  }

  @Test
  void theFirstWaitIsLateByASmallPart() {
    Wait wait = waitBehind(0, 160 * MILLI, true);

    assertThat(wait.polls()).isLessThan(60);
    assertThat(wait.lateNanos()).isLessThanOrEqualTo(10 * MILLI);
  }

  @Test
  void aQueueThatIsSlowerThanBeforeIsPolledLessOften() {
    waitBehind(3, 2 * MILLI, true);

    Wait wait = waitBehind(3, 1_000 * MILLI, true);

    assertThat(wait.polls()).isLessThan(200);
    assertThat(wait.lateNanos()).isLessThanOrEqualTo(Turns.LONGEST_NANOS);
  }

  @Test
  void theDistanceDoesNotMatterWhereClaimsAreNotGrantedInTurn() {
    waitBehind(3, 2 * MILLI, false);

    Wait wait = waitBehind(39, 10 * MILLI, false);

    assertThat(wait.lateNanos()).isLessThanOrEqualTo(400 * MILLI / 16);
  }

  @Test
  void onePollCountsForAllThatAreDue() {
    for (int i = 0; i < 2_000; i++) {
      turns.begin(new Turns.Key(i, 1), 0, true, now);
    }
    int polls = 0;
    for (long end = now + 1_000 * MILLI; now < end; polls++) {
      now += Math.max(0, turns.nanosToNext(now));
      Turns.Poll poll = turns.poll(now);
      assertThat(poll).isNotNull();
      turns.waits(poll.claim(), 0, 1, now);
    }
    assertThat(polls).isLessThan(120);
  }
}
