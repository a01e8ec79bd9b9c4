package io.lockkeeper.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.check.RuleResult.Violation;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule finds what breaks it, and nothing else. */
class HistoryCheckerTest {

  private static final String LOCK = "lock/a";
  private static final String FAIR = "fair/a";
  private static final String RW = "rw/a";
  private static final String SEMAPHORE = "semaphore/a";

  private static void assertBroken(Script script, String promise) {
    assertThat(script.broken()).containsExactly(promise);
    assertThat(script.violations()).allSatisfy(found -> assertThat(found.evidence()).isNotEmpty());
  }

  @Test
  void oneAfterTheOtherIsFine() {
    Script script = new Script().hold("p1#0", LOCK, 1, 0, 1, 5).hold("p2#0", LOCK, 2, 0, 6, 9);

    assertThat(script.broken()).isEmpty();
  }

  @Test
  void twoHoldersAtATimeBreakExclusion() {
    Script script = new Script().hold("p1#0", LOCK, 1, 0, 1, 50).hold("p2#0", LOCK, 2, 0, 6, 9);

    assertBroken(script, "X1");
    assertThat(script.violations().get(0).evidence())
        .extracting(Event::actor)
        .contains("p1#0", "p2#0");
  }

  @Test
  void aLeaseThatWasFoundInvalidCountsOnlyUpToTheLastLook() {
    Script script =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(1, "p1#0", LOCK, 1, 1_000)
            .at(50, "p1#0", EventKind.INVALID, LOCK, 1, 0)
            .at(60, "p1#0", EventKind.LOST, LOCK, 1, 0)
            .hold("p2#0", LOCK, 2, 0, 6, 9);

    assertThat(script.broken()).isEmpty();
  }

  @Test
  void aLeaseThatWasValidWhenReleasedCountsUpToThen() {
    Script script =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(1, "p1#0", LOCK, 1, 1_000)
            .at(50, "p1#0", EventKind.RELEASE, LOCK, 1, 900)
            .hold("p2#0", LOCK, 2, 0, 6, 9);

    assertBroken(script, "X1");
  }

  @Test
  void theLeaseOfAKilledHolderIsKeptToItsEnd() {
    Script early =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(1, "p1#0", LOCK, 1, 1_000)
            .run(2, EventKind.FAULT)
            .hold("p2#0", LOCK, 2, 10, 500, 510)
            .run(3_000, EventKind.HEALED);
    Script late =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(1, "p1#0", LOCK, 1, 1_000)
            .run(2, EventKind.FAULT)
            .hold("p2#0", LOCK, 2, 10, 1_001, 1_010)
            .run(3_000, EventKind.HEALED);

    assertBroken(early, "X1");
    assertThat(late.broken()).isEmpty();
  }

  @Test
  void theLeaseOfAKilledHolderCountsAlsoWhenTheStoreForgets() {
    Script script =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(1, "p1#0", LOCK, 1, 1_000)
            .run(2, EventKind.FAULT)
            .run(3, EventKind.MEMORY_LOST)
            .hold("p2#0", LOCK, 2, 10, 500, 510)
            .run(3_000, EventKind.HEALED);

    assertBroken(script, "X1");
  }

  @Test
  void aLeaseThatAnotherClientRenewedIsKeptToItsNewEnd() {
    assertBroken(renewed(500).hold("p2#0", LOCK, 2, 0, 400, 410), "X1");
    assertThat(renewed(500).hold("p2#0", LOCK, 2, 0, 501, 510).broken()).isEmpty();
  }

  @Test
  void aRenewalForLessThanThereIsLeftMakesNoLeaseShorter() {
    assertBroken(renewed(20).hold("p2#0", LOCK, 2, 0, 90, 95), "X1");
    assertThat(renewed(20).hold("p2#0", LOCK, 2, 0, 101, 110).broken()).isEmpty();
  }

  @Test
  void aRenewalWithoutAnAnswerPromisesNothing() {
    Script script =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(1, "p1#0", LOCK, 1, 100)
            .at(2, "p1#0", EventKind.RENEW, LOCK, 1, 500)
            .hold("p2#0", LOCK, 2, 0, 101, 110);

    assertThat(script.broken()).isEmpty();
  }

  @Test
  void aLeaseThatAnotherClientReleasesCountsUpToTheSending() {
    assertThat(renewed(500).release(50, "p1#0", LOCK).hold("p2#0", LOCK, 2, 0, 51, 60).broken())
        .isEmpty();
  }

  /** A lease to 100 ms that another client has renewed. */
  private static Script renewed(long until) {
    return new Script()
        .ask(0, "p1#0", LOCK)
        .got(1, "p1#0", LOCK, 1, 100)
        .at(2, "p1#0", EventKind.RENEW, LOCK, 1, until)
        .at(3, "p1#0", EventKind.RENEWED, LOCK, 1, until);
  }

  @Test
  void aLeaseThatWasOverWhenItCameCountsForNothing() {
    Script script =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(7, "p1#0", LOCK, 1, 0)
            .at(8, "p1#0", EventKind.LOST, LOCK, 1, 0)
            .hold("p2#0", LOCK, 2, 0, 6, 9);

    assertThat(script.broken()).isEmpty();
  }

  @Test
  void aTokenThatIsNotLargerThanThatOfAnEarlierLeaseIsFound() {
    assertBroken(new Script().hold("p1#0", LOCK, 5, 0, 1, 3).hold("p2#0", LOCK, 4, 0, 6, 9), "T1");
    assertBroken(new Script().hold("p1#0", LOCK, 5, 0, 1, 3).hold("p2#0", LOCK, 5, 0, 6, 9), "T1");
  }

  @Test
  void tokensOfThoseWhoShareAreComparedOnlyIfOneAskedAfterTheOtherGot() {
    Script together =
        new Script()
            .value(0, "p1", EventKind.LIMIT, SEMAPHORE, 3)
            .hold("p1#0", SEMAPHORE, 5, 0, 2, 9)
            .hold("p2#0", SEMAPHORE, 4, 1, 3, 9);
    Script inOrder =
        new Script()
            .value(0, "p1", EventKind.LIMIT, SEMAPHORE, 3)
            .hold("p1#0", SEMAPHORE, 5, 0, 2, 9)
            .hold("p2#0", SEMAPHORE, 4, 3, 4, 9);

    assertThat(together.broken()).isEmpty();
    assertBroken(inOrder, "RW8");
  }

  @Test
  void permitsAreComparedWithEachLimitThatMayHaveBeenInForceWhileTheyWereAskedFor() {
    assertThat(resized(4, 6).hold("p2#0", SEMAPHORE, 2, 5, 8, 9).broken()).isEmpty();
    assertThat(resized(7, 20).hold("p2#0", SEMAPHORE, 2, 5, 8, 9).broken()).isEmpty();
    assertBroken(resized(9, 20).hold("p2#0", SEMAPHORE, 2, 5, 8, 30), "S1");
    Script raisedAndLowered =
        resized(1, 2)
            .value(3, "p4#0", EventKind.RESIZE, SEMAPHORE, 1)
            .at(4, "p4#0", EventKind.RESIZED, SEMAPHORE, 0, 0);
    assertBroken(raisedAndLowered.hold("p2#0", SEMAPHORE, 2, 5, 8, 9), "S1");
  }

  /** One permit, held from 3 to 40, and a change to two of them. */
  private static Script resized(long from, long to) {
    return new Script()
        .value(0, "p1", EventKind.LIMIT, SEMAPHORE, 1)
        .hold("p1#0", SEMAPHORE, 1, 2, 3, 40)
        .value(from, "p3#0", EventKind.RESIZE, SEMAPHORE, 2)
        .at(to, "p3#0", EventKind.RESIZED, SEMAPHORE, 0, 0);
  }

  @Test
  void aWritersTokenIsLargerThanThatOfAReaderBefore() {
    Script script =
        new Script()
            .ask(0, "p1#0", RW, 1, "read")
            .got(1, "p1#0", RW, 9, 100)
            .release(3, "p1#0", RW)
            .hold("p2#0", RW, 8, 0, 5, 6);

    assertBroken(script, "RW8");
  }

  @Test
  void aRegisterThatGoesBackIsFound() {
    Script script =
        new Script().ask(0, "p1#0", LOCK).got(1, "p1#0", LOCK, 1, 5).hold("p2#0", LOCK, 2, 0, 6, 9);
    List<Event> events = new ArrayList<>(script.history().events());
    events.add(
        Event.of(Script.nanos(7), "p2#0", EventKind.WROTE, LOCK, 1).withLease(2, 0).with(1, ""));
    events.add(
        Event.of(Script.nanos(8), "p1#0", EventKind.WROTE, LOCK, 1).withLease(1, 0).with(2, ""));

    assertThat(HistoryChecker.check(History.of(events), Script.SETTINGS).violations())
        .extracting(Violation::promise)
        .containsExactly("T6");
  }

  @Test
  void aLateWriteIsFoundWithoutTokensToo() {
    Script script =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(1, "p1#0", LOCK, 0, 2)
            .ask(0, "p2#0", LOCK)
            .got(6, "p2#0", LOCK, 0, 7)
            .value(8, "p2#0", EventKind.WROTE, LOCK, 1)
            .value(9, "p1#0", EventKind.WROTE, LOCK, 2)
            .at(10, "p1#0", EventKind.LOST, LOCK, 0, 0)
            .at(10, "p2#0", EventKind.RELEASED, LOCK, 0, 0);

    assertBroken(script, "T6");
  }

  @Test
  void aHolderWhoseWriteIsRefusedIsFound() {
    Script valid =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(1, "p1#0", LOCK, 1, 100)
            .at(5, "p1#0", EventKind.WRITE_REFUSED, LOCK, 1, 0)
            .release(7, "p1#0", LOCK);
    Script late =
        new Script()
            .ask(0, "p1#0", LOCK)
            .got(1, "p1#0", LOCK, 1, 100)
            .at(5, "p1#0", EventKind.WRITE_REFUSED, LOCK, 1, 0)
            .at(7, "p1#0", EventKind.LOST, LOCK, 1, 0);

    assertBroken(valid, "T6");
    assertThat(late.broken()).isEmpty();
  }

  @Test
  void readersShareAndWritersDoNot() {
    Script readers =
        new Script()
            .ask(0, "p1#0", RW, 1, "read")
            .got(1, "p1#0", RW, 1, 100)
            .ask(0, "p2#0", RW, 1, "read")
            .got(2, "p2#0", RW, 2, 100)
            .release(20, "p1#0", RW)
            .release(21, "p2#0", RW);
    Script writer =
        new Script()
            .ask(0, "p1#0", RW, 1, "read")
            .got(1, "p1#0", RW, 1, 100)
            .hold("p2#0", RW, 2, 0, 5, 6)
            .release(20, "p1#0", RW);

    assertThat(readers.broken()).isEmpty();
    assertBroken(writer, "RW1");
  }

  @Test
  void permitsAreCounted() {
    Script three =
        new Script()
            .value(0, "p1", EventKind.LIMIT, SEMAPHORE, 3)
            .ask(0, "p1#0", SEMAPHORE, 2, "")
            .got(1, "p1#0", SEMAPHORE, 1, 100)
            .hold("p2#0", SEMAPHORE, 2, 0, 2, 9)
            .release(20, "p1#0", SEMAPHORE);
    Script four =
        new Script()
            .value(0, "p1", EventKind.LIMIT, SEMAPHORE, 3)
            .ask(0, "p1#0", SEMAPHORE, 2, "")
            .got(1, "p1#0", SEMAPHORE, 1, 100)
            .ask(0, "p2#0", SEMAPHORE, 2, "")
            .got(2, "p2#0", SEMAPHORE, 2, 100)
            .release(20, "p1#0", SEMAPHORE)
            .release(21, "p2#0", SEMAPHORE);

    assertThat(three.broken()).isEmpty();
    assertBroken(four, "S1");
  }

  @Test
  void aFairLockThatLetsInOutOfTheOrderOfArrivalIsFound() {
    Script script =
        new Script()
            .hold("p1#0", FAIR, 1, 0, 1, 3)
            .hold("p2#0", FAIR, 2, 0, 4, 6)
            .value(1, "p1", EventKind.ARRIVAL, FAIR, 0);
    List<Event> events = new ArrayList<>(script.history().events());
    events.add(
        Event.of(Script.nanos(1), "p1", EventKind.ARRIVAL, FAIR, 0).withLease(1, 0).with(8, ""));
    events.add(
        Event.of(Script.nanos(4), "p2", EventKind.ARRIVAL, FAIR, 0).withLease(2, 0).with(7, ""));

    assertThat(HistoryChecker.check(History.of(events), Script.SETTINGS).violations())
        .extracting(Violation::promise)
        .containsExactly("W2");
  }

  @Test
  void aFairLockThatLetsInWhoAskedMuchLaterIsFoundUnlessSomethingWasWrong() {
    Script calm =
        new Script()
            .hold("p1#0", FAIR, 1, 0, 1, 3_000)
            .ask(10, "p2#0", FAIR)
            .hold("p3#0", FAIR, 2, 2_900, 3_010, 3_020)
            .got(3_030, "p2#0", FAIR, 3, 9_000)
            .release(3_040, "p2#0", FAIR);
    Script disturbed =
        new Script()
            .hold("p1#0", FAIR, 1, 0, 1, 3_000)
            .ask(10, "p2#0", FAIR)
            .run(20, EventKind.FAULT)
            .run(30, EventKind.HEALED)
            .hold("p3#0", FAIR, 2, 2_900, 3_010, 3_020)
            .got(3_030, "p2#0", FAIR, 3, 9_000)
            .release(3_040, "p2#0", FAIR);

    assertBroken(calm, "W2");
    assertThat(disturbed.broken()).isEmpty();
  }

  @Test
  void whoIsOvertakenTooOftenIsFound() {
    CheckSettings settings = Script.SETTINGS;
    Script script = new Script().ask(0, "p1#0", LOCK);
    long last = settings.maxBypass() + 2;
    for (long i = 1; i <= last; i++) {
      script.hold("p2#0", LOCK, i, 2 * i, 2 * i, 2 * i);
    }
    script.got(2 * last + 5, "p1#0", LOCK, last + 1, 2 * last + 500);
    script.release(2 * last + 6, "p1#0", LOCK);

    assertBroken(script, "W3");
  }

  @Test
  void aWaiterForWhatIsFreeIsFound() {
    Script lost =
        new Script()
            .hold("p1#0", LOCK, 1, 0, 1, 3)
            .ask(2, "p2#0", LOCK)
            .hold("p1#0", LOCK, 2, 5_999, 6_000, 6_001)
            .got(6_010, "p2#0", LOCK, 3, 9_000)
            .release(6_020, "p2#0", LOCK);
    Script nobody =
        new Script().hold("p1#0", LOCK, 1, 0, 1, 3).hold("p2#0", LOCK, 2, 8_000, 8_001, 8_002);

    assertBroken(lost, "W1");
    assertThat(nobody.broken()).isEmpty();
  }

  @Test
  void aWaiterThatIsNeverServedAfterTheLastFaultIsFound() {
    Script script =
        new Script()
            .hold("p1#0", LOCK, 1, 0, 1, 3)
            .run(4, EventKind.FAULT)
            .ask(5, "p2#0", LOCK)
            .run(100, EventKind.HEALED)
            .value(20_000, "p2", EventKind.LIMIT, SEMAPHORE, 1);

    assertBroken(script, "W1");
  }

  @Test
  void recoveryIsTheLongestWaitForWhatIsFreeAfterTheLastFault() {
    Script script =
        new Script()
            .hold("p1#0", LOCK, 1, 0, 1, 3)
            .ask(10, "p2#0", LOCK)
            .run(20, EventKind.FAULT)
            .run(100, EventKind.HEALED)
            .got(1_300, "p2#0", LOCK, 2, 3_000)
            .release(1_310, "p2#0", LOCK)
            .hold("p1#0", LOCK, 3, 1_500, 1_700, 1_710);

    assertThat(script.verdict().recovery()).isEqualTo(Duration.ofMillis(1_200));
    assertThat(new Script().hold("p1#0", LOCK, 1, 0, 1, 3).verdict().recovery()).isZero();
  }

  @Test
  void aWaiterThatWaitsTooLongAmongOthersIsFound() {
    Script script = new Script().ask(0, "p2#0", LOCK);
    for (int i = 0; i < 30; i++) {
      script.hold("p1#0", LOCK, i + 1, 1_000L * i, 1_000L * i + 1, 1_000L * i + 999);
    }
    script.got(30_001, "p2#0", LOCK, 40, 31_000).release(30_002, "p2#0", LOCK);
    CheckSettings settings =
        Script.SETTINGS.withWaits(Duration.ofSeconds(5), Duration.ofSeconds(20));

    assertThat(script.violations(settings)).extracting(Violation::promise).containsExactly("W9");
  }

  @Test
  void whatAStoreMayForgetIsNoBrokenPromiseAfterwards() {
    Script before =
        new Script()
            .hold("p1#0", LOCK, 1, 0, 1, 50)
            .hold("p2#0", LOCK, 2, 0, 6, 9)
            .run(60, EventKind.MAY_FORGET);
    Script after =
        new Script()
            .run(0, EventKind.MAY_FORGET)
            .hold("p1#0", LOCK, 1, 0, 1, 50)
            .hold("p2#0", LOCK, 2, 0, 6, 9);

    assertBroken(before, "X1");
    assertThat(after.broken()).isEmpty();
    assertThat(HistoryChecker.check(after.history(), Script.SETTINGS).excused())
        .extracting(Violation::promise)
        .containsExactly("X1");
  }

  @Test
  void whereOnlyValuesMayBeForgottenTwoHoldersAreABrokenPromise() {
    Script script =
        new Script()
            .run(0, EventKind.MAY_FORGET_VALUES)
            .hold("p1#0", LOCK, 1, 0, 1, 50)
            .hold("p2#0", LOCK, 2, 0, 6, 9)
            .operate("p1#0", "counter/a", "add", 1, 60, 70, 5);

    assertBroken(script, "X1");
    assertThat(script.verdict().excused()).extracting(Violation::promise).containsExactly("CO1");
  }

  @Test
  void tokensThatAreGivenTwiceAreABrokenPromiseWhateverWasForgotten() {
    Script script =
        new Script()
            .run(0, EventKind.MAY_FORGET)
            .hold("p1#0", LOCK, 5, 0, 1, 3)
            .hold("p2#0", LOCK, 5, 0, 6, 9);

    assertBroken(script, "T1");
  }
}
