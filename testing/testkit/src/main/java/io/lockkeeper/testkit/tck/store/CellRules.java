package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cells: versions, updates that may be repeated, time to live, and watching. */
interface CellRules extends StoreRules {

  private static CellValue text(String text) {
    return CellValue.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static CellChange put(String text) {
    return new CellChange.Put(text(text), 0);
  }

  // ------------------------------------------------------------- values and versions

  @Test
  default void aCellIsNotThereUntilItIsBegun() {
    assertThat(client().read(false, 0)).isEqualTo(new CellState.Absent());
  }

  @Test
  default void aCellHoldsWhatWasPut() {
    CellResult put = client().change(1, put("a"));

    CellState.Present found = client().readPresent();

    assertThat(put.verdict()).isEqualTo(Verdict.DONE);
    assertThat(found.value()).isEqualTo(text("a"));
    assertThat(found.version()).isEqualTo(put.version()).isPositive();
    assertThat(found.born()).isEqualTo(put.version());
    assertThat(found.leftMicros()).isNegative();
  }

  @Test
  default void aCellHoldsAnyBytes() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    StoreClient client = client();

    client.change(1, new CellChange.Put(CellValue.of(all), 0));
    assertThat(client.readPresent().value().bytes()).isEqualTo(all);

    client.change(2, new CellChange.Put(CellValue.of(new byte[0]), 0));
    assertThat(client.readPresent().value().size()).isZero();
  }

  @Test
  default void versionsGrowWithEachChangeOverTheEndOfTheCellToo() {
    StoreClient client = client();
    long last = 0;
    for (int batch = 1; batch <= 9; batch += 3) {
      CellResult put = client.change(batch, put("a"));
      assertThat(put.version()).isGreaterThan(last);
      CellResult again = client.change(batch + 1, put("a"));
      assertThat(again.version()).isGreaterThan(put.version());
      last = again.version();
      assertThat(client.change(batch + 2, new CellChange.Delete()))
          .isEqualTo(new CellResult(Verdict.DONE, 0, 0, 0));
    }
  }

  @Test
  default void aChangedCellKeepsTheVersionOfItsBeginningAndANewOneHasAnother() {
    StoreClient client = client();
    long born = client.change(1, put("a")).version();
    client.change(2, put("b"));
    assertThat(client.readPresent().born()).isEqualTo(born);

    long reborn = client.update(3, new CellChange.Delete(), put("c")).get(1).version();

    assertThat(client.readPresent().born()).isEqualTo(reborn).isGreaterThan(born);
  }

  @Test
  default void aCellIsBegunOnce() {
    StoreClient client = client();
    CellResult first = client.change(1, new CellChange.Create(text("a"), 0));
    CellResult second = client.change(2, new CellChange.Create(text("b"), 0));

    assertThat(first.verdict()).isEqualTo(Verdict.DONE);
    assertThat(second.verdict()).isEqualTo(Verdict.UNMET);
    assertThat(second.version()).isEqualTo(first.version());
    assertThat(client.readPresent().value()).isEqualTo(text("a"));
  }

  @Test
  default void aVersionIsReplacedOnce() {
    StoreClient client = client();
    long version = client.change(1, put("a")).version();

    List<CellResult> results =
        client.update(
            2,
            new CellChange.Replace(version, text("b"), 0),
            new CellChange.Replace(version, text("c"), 0));

    assertThat(results.get(0).verdict()).isEqualTo(Verdict.DONE);
    assertThat(results.get(1).verdict()).isEqualTo(Verdict.UNMET);
    assertThat(results.get(1).version()).isEqualTo(results.get(0).version());
    assertThat(client.readPresent().value()).isEqualTo(text("b"));
  }

  @Test
  default void aCellThatIsNotThereHasNoVersionToReplaceAndNothingToEnd() {
    StoreClient client = client();
    long version = client.change(1, put("a")).version();
    client.change(2, new CellChange.Delete());

    assertThat(client.change(3, new CellChange.Replace(version, text("b"), 0)).verdict())
        .isEqualTo(Verdict.UNMET);
    assertThat(client.change(4, new CellChange.Delete()).verdict()).isEqualTo(Verdict.UNMET);
    assertThat(client.read(false, 0)).isEqualTo(new CellState.Absent());
  }

  @Test
  default void cellsOfOneNameAndDifferentKindsAreDifferent() {
    StoreClient client = client();
    client.change(1, put("a"));

    assertThat(client.read(List.of(new CellRead(new CellId(CellKind.LATCH, "r"), false, 0))).get(0))
        .isEqualTo(new CellState.Absent());
  }

  // ------------------------------------------------------------- repeating

  @Test
  default void anUpdateThatIsRepeatedChangesNothingAndAnswersTheSame() {
    StoreClient client = client();
    List<CellResult> results = client.update(7, put("a"), new CellChange.Delete(), put("b"));
    client().change(1, put("c"));

    assertThat(client.update(7, put("a"), new CellChange.Delete(), put("b"))).isEqualTo(results);

    assertThat(client.readPresent().value()).isEqualTo(text("c"));
  }

  @Test
  default void aDeletionThatIsRepeatedDoesNotEndANewCell() {
    StoreClient client = client();
    client.change(1, put("a"));
    client.change(2, new CellChange.Delete());
    client().change(1, put("b"));

    assertThat(client.change(2, new CellChange.Delete()).verdict()).isEqualTo(Verdict.DONE);

    assertThat(client.readPresent().value()).isEqualTo(text("b"));
  }

  @Test
  default void aBeginningThatIsRepeatedDoesNotBringBackADeletedCell() {
    StoreClient client = client();
    client.change(1, new CellChange.Create(text("a"), 0));
    client().change(1, new CellChange.Delete());

    client.change(1, new CellChange.Create(text("a"), 0));

    assertThat(client.read(false, 0)).isEqualTo(new CellState.Absent());
  }

  @Test
  default void aStragglerIsRefusedAndChangesNothing() {
    StoreClient client = client();
    client.change(5, put("a"));

    Outcome<CellUpdated> late = client.askUpdate(CellKind.VALUE, 4, 60_000, put("b"));

    assertThat(late).isInstanceOf(Outcome.Refused.class);
    Outcome.Refused<CellUpdated> refused = (Outcome.Refused<CellUpdated>) late;
    assertThat(refused.problem()).isEqualTo(StoreProblem.OTHER);
    assertThat(refused.message()).contains("cell val r ");
    assertThat(client.readPresent().value()).isEqualTo(text("a"));
  }

  @Test
  default void theNumbersOfTwoClientsHaveNothingToDoWithEachOther() {
    client().change(5, put("a"));
    StoreClient other = client();
    other.change(5, put("b"));
    other.change(6, put("c"));

    assertThat(client().readPresent().value()).isEqualTo(text("c"));
  }

  @Test
  default void whatNobodyAsksForIsForgottenAfterItsTime() {
    StoreClient client = client();
    client.askUpdate(CellKind.VALUE, 5, SHORT_MILLIS, put("a"));
    passBeyond(SHORT_MILLIS);
    client.change(4, put("b"));

    assertThat(client.readPresent().value()).isEqualTo(text("b"));
  }

  // ------------------------------------------------------------- time to live

  @Test
  default void aCellIsGoneAfterItsTime() {
    StoreClient client = client();
    CellResult put = client.change(1, new CellChange.Put(text("a"), KEPT_MILLIS));
    assertThat(client.readPresent().leftMicros())
        .isPositive()
        .isLessThanOrEqualTo(KEPT_MILLIS * 1_000);
    passBeyond(KEPT_MILLIS);

    assertThat(client.read(false, put.version())).isEqualTo(new CellState.Absent());
    CellResult next = client.change(2, new CellChange.Create(text("b"), 0));
    assertThat(next.verdict()).isEqualTo(Verdict.DONE);
    assertThat(next.version()).isGreaterThan(put.version());
    assertThat(client.readPresent().born()).isEqualTo(next.version());
    passBeyond(SHORT_MILLIS);
    assertThat(client.readPresent().value()).isEqualTo(text("b"));
  }

  @Test
  default void aCellIsGoneAfterItsTimeForAClientThatComesLater() {
    client().change(1, new CellChange.Put(text("a"), SHORT_MILLIS));
    passBeyond(SHORT_MILLIS + LATE_MILLIS);

    assertThat(stranger().read(false, 0)).isEqualTo(new CellState.Absent());
    StoreClient next = stranger();
    assertThat(next.change(1, new CellChange.Create(text("b"), 0)).verdict())
        .isEqualTo(Verdict.DONE);
    assertThat(next.readPresent().value()).isEqualTo(text("b"));
  }

  @Test
  default void aClientThatComesEarlierFindsTheCell() {
    client().change(1, new CellChange.Put(text("a"), LEASE_MILLIS));

    assertThat(stranger().readPresent().leftMicros())
        .isPositive()
        .isLessThanOrEqualTo(1_000 * (LEASE_MILLIS + LATE_MILLIS));
  }

  @Test
  default void aChangeWithoutATimeToLiveEndsIt() {
    StoreClient client = client();
    long version = client.change(1, new CellChange.Put(text("a"), KEPT_MILLIS)).version();
    client.change(2, new CellChange.Replace(version, text("b"), 0));
    passBeyond(KEPT_MILLIS);

    assertThat(client.readPresent().leftMicros()).isNegative();
  }

  // ------------------------------------------------------------- reading

  @Test
  default void aValueThatIsKnownIsNotSentAgain() {
    StoreClient client = client();
    long version = client.change(1, put("a")).version();

    assertThat(client.read(false, version)).isEqualTo(new CellState.Unchanged(version, -1));

    client.change(2, put("b"));
    assertThat(client.read(false, version)).isInstanceOf(CellState.Present.class);
  }

  @Test
  default void aBatchOfReadsIsAnsweredInOrder() {
    StoreClient client = client();
    List<CellRead> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      client.on(ResourceId.lock("c" + i)).change(1, put("v" + i));
      batch.add(new CellRead(new CellId(CellKind.VALUE, "c" + i), i % 2 == 0, 0));
      batch.add(new CellRead(new CellId(CellKind.VALUE, "none" + i), false, 0));
    }

    List<CellState> states = client.read(batch);

    for (int i = 0; i < 100; i++) {
      assertThat(states.get(2 * i)).isInstanceOf(CellState.Present.class);
      assertThat(((CellState.Present) states.get(2 * i)).value()).isEqualTo(text("v" + i));
      assertThat(states.get(2 * i + 1)).isEqualTo(new CellState.Absent());
    }
  }

  // ------------------------------------------------------------- watching

  @Test
  default void aWatcherIsToldOfTheNextChangeOnce() {
    StoreClient watcher = client();
    StoreClient writer = client();
    watcher.read(true, 0);

    writer.change(1, put("a"));
    watcher.awaitNotification("changed");
    watcher.forgetNotifications();
    writer.change(2, put("b"));
    watcher.read(true, 0);
    assertThat(watcher.hasHeard("changed")).isFalse();

    writer.change(3, new CellChange.Delete());
    watcher.awaitNotification("changed");
  }

  @Test
  default void whoChangesACellIsNotToldAndGoesOnWatching() {
    StoreClient both = client();
    both.read(true, 0);
    both.change(1, put("a"));
    both.on(ResourceId.lock("other")).read(true, 0);
    assertThat(both.hasHeard("changed")).isFalse();

    client().change(1, put("b"));

    both.awaitNotification("changed");
  }

  @Test
  default void aChangeThatLeavesTheCellAsItWasTellsNobody() {
    StoreClient watcher = client();
    StoreClient writer = client();
    watcher.read(true, 0);

    writer.change(1, new CellChange.Delete());
    writer.change(2, new CellChange.Replace(17, text("a"), 0));
    writer.on(ResourceId.lock("other")).change(1, put("a"));
    watcher.on(ResourceId.lock("other")).read(true, 0);

    assertThat(watcher.hasHeard("changed")).isFalse();
    assertThat(watcher.on(ResourceId.lock("other")).hasHeard("changed")).isFalse();
  }

  @Test
  default void aReadThatDoesNotWatchEndsTheWatching() {
    StoreClient watcher = client();
    StoreClient second = client();
    watcher.read(true, 0);
    second.read(true, 0);
    watcher.read(false, 0);

    client().change(1, put("a"));

    second.awaitNotification("changed");
    assertThat(watcher.hasHeard("changed")).isFalse();
  }

  @Test
  default void watchingEndsWithTheHeartbeat() {
    StoreClient watcher = client(SHORT_HEARTBEAT);
    StoreClient second = client(SHORT_HEARTBEAT);
    watcher.read(true, 0);
    passBeyond(HEARTBEAT_MILLIS);
    second.read(true, 0);

    client(SHORT_HEARTBEAT).change(1, put("a"));

    second.awaitNotification("changed");
    assertThat(watcher.hasHeard("changed")).isFalse();
  }
}
