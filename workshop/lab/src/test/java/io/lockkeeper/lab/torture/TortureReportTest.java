package io.lockkeeper.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.check.CheckSettings;
import io.lockkeeper.lab.check.HistoryChecker;
import io.lockkeeper.lab.check.Verdict;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.History;
import io.lockkeeper.lab.torture.TortureCommand.TortureReport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The events of a broken promise. */
class TortureReportTest {

  private static final long MILLI = 1_000_000;

  private final List<Event> events = new ArrayList<>();

  private void hold(String actor, long token, long fromMillis, long toMillis) {
    String lock = "lock/r0";
    events.add(Event.of(fromMillis * MILLI - 5, actor, EventKind.ASK, lock, 1).with(1, "write"));
    events.add(
        Event.of(fromMillis * MILLI, actor, EventKind.GOT, lock, 1)
            .withLease(token, (fromMillis + 500) * MILLI));
    events.add(
        Event.of(toMillis * MILLI, actor, EventKind.RELEASE, lock, 1)
            .withLease(token, (toMillis + 500) * MILLI));
    events.add(Event.of(toMillis * MILLI + 9, actor, EventKind.RELEASED, lock, 1));
  }

  @Test
  void itShowsWhoHeldWhenAndHowToDoItAgain() {
    hold("p1.1#0", 7, 10, 90);
    hold("p2.2#3", 8, 40, 60);
    events.add(Event.ofRun(50 * MILLI, "nemesis", EventKind.FAULT, "cut p1.1 & <more>"));
    History history = History.of(events);
    Verdict verdict = HistoryChecker.check(history, CheckSettings.of(2, 4));
    Round.Outcome outcome = new Round.Outcome(verdict, history, 1, List.of());

    String page = TortureReport.write(outcome, List.of("a table"), "lockkeeper torture --seed 5");

    assertThat(verdict.isGood()).isFalse();
    assertThat(page)
        .contains("X1 broken on lock/r0", "p1.1#0", "p2.2#3", "a table", "--seed 5")
        .contains("cut p1.1 & <more>");
  }
}
